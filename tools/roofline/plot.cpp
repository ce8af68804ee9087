#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "bench/any_program/runs.hpp"
#include "bench/result/flop_convention.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "reporters/page/page.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/point_names.hpp"
#include "tools/roofline/inputs.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::plot_command {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  Inputs inputs;
  std::string out = "roofline.svg", view = "roofline", division_flops = "1", only, x, y;
  double width = 640;
  std::vector<std::string> mixes, intensities, rows;
  bool theory = false;

  bool has_additions() const {
    return theory || !mixes.empty() || !intensities.empty() || !x.empty() || !y.empty() || is_both();
  }
  /// Points of two accounts in one plot.
  bool is_both() const { return division_flops.starts_with("both"); }
  FlopConvention convention() const {
    if (division_flops == "both") return parse_flop_convention("measured");
    return parse_flop_convention(division_flops.starts_with("both:") ? division_flops.substr(5) : division_flops);
  }
};

/// A positive number of a flag. Throws std::invalid_argument.
double number_of(const std::string& flag, const std::string& text) {
  const auto value = as_number<double>(text).value_or(0);
  if (!(value > 0 && value < 1e12))
    throw std::invalid_argument(fmt::format("{}: '{}' is not a positive number", flag, text.substr(0, 40)));
  return value;
}

/// "0.1:1000", in units of `unit`; empty: the plot chooses.
LogRange range_of(const std::string& flag, const std::string& text, double unit) {
  if (text.empty()) return {};
  const auto colon = text.find(':');
  if (colon == text.npos)
    throw std::invalid_argument(fmt::format("{}={}: two numbers LOW:HIGH are expected", flag, text));
  const LogRange range{unit * number_of(flag, text.substr(0, colon)), unit * number_of(flag, text.substr(colon + 1))};
  if (range.high < 2 * range.low)
    throw std::invalid_argument(fmt::format("{}={}: the second number must be at least twice the first", flag, text));
  return range;
}

PlotAdditions additions_of(const Arguments& arguments) {
  PlotAdditions additions{.mixes = arguments.mixes, .theory = arguments.theory};
  for (const auto& text : arguments.intensities) {
    const auto colon = text.find(':');
    const auto value = text.substr(0, colon);
    additions.intensities.emplace_back(number_of("--ai", value),
                                       colon == text.npos ? value + " FLOP/B" : text.substr(colon + 1));
  }
  additions.x = range_of("--x", arguments.x, 1), additions.y = range_of("--y", arguments.y, 1e9);
  return additions;
}

using View = std::string (*)(const Results&);
/// Views of one run; "scaling" joins several, "messages" is of ranks together.
const std::map<std::string, View>& views() {
  static const std::map<std::string, View> all{{"roofline", [](const Results& r) { return svg_plot(r); }},
                                               {"time", time_plot},
                                               {"instructions", instruction_plot},
                                               {"cache-aware", cache_aware_plot}};
  return all;
}

bool is_converted(const fs::path& file) { return file.extension() == ".png" || file.extension() == ".pdf"; }

std::string converted(const std::string& svg, const std::string& kind) {
  const any_program::Workplace folder;
  write_file(folder.path() / "svg", svg);
  const any_program::Launch launch{.file = *any_program::find_program("rsvg-convert"),
                                   .name = "rsvg-convert",
                                   .arguments = {"--format=" + kind, kind == "png" ? "--zoom=2" : "--zoom=1"},
                                   .in = folder.path() / "svg",
                                   .out = folder.path() / "picture"};
  const int code = any_program::run(launch).code;
  auto picture = read_file(launch.out);
  if (code != 0 || picture.empty()) throw FileError("rsvg-convert: failed");
  return picture;
}

/// Throws std::invalid_argument, one line, where a picture cannot be of the kind that its name ends in: .svg, and with
/// librsvg's rsvg-convert .png and .pdf.
void require_kind_of_picture(const fs::path& file) {
  if (is_converted(file)) {
    if (any_program::find_program("rsvg-convert")) return;
    throw std::invalid_argument(fmt::format(
        "{}: needs rsvg-convert (Debian: librsvg2-bin), which is not installed; .svg needs nothing", file.string()));
  }
  const auto name = file.string();
  if (file.extension() != ".svg" && !name.starts_with("/dev/"))
    throw std::invalid_argument(fmt::format("{}: a plot ends in .svg, .png or .pdf, the page in .html", name));
}

/// Writes an SVG as what the name ends in. Throws FileError.
void write_picture(const fs::path& file, const std::string& svg) {
  write_file(file, is_converted(file) ? converted(svg, file.extension().string().substr(1)) : svg);
}

/// Flags that a view would not use.
void require_use(const Arguments& arguments) {
  const bool page = fs::path(arguments.out).extension() == ".html";
  if (page && arguments.view != "roofline")
    throw std::invalid_argument(fmt::format("--view={} -o {}: a view is a plot, the page has no views to choose from",
                                            arguments.view, arguments.out));
  if (arguments.has_additions() && (page || arguments.view != "roofline" || !arguments.only.empty()))
    throw std::invalid_argument(
        "--mix, --theory, --ai, --x, --y and --division-flops=both belong to the whole drawing of --view=roofline: "
        "leave them out, or leave out --only, another view and a page");
  if (!page) require_kind_of_picture(arguments.out);
  if (!arguments.only.empty() && (page || arguments.view != "roofline"))
    throw std::invalid_argument("--only: is one plot of the roofline; leave --view and a page (-o FILE.html) out");
  const auto& inputs = arguments.inputs;
  if ((arguments.view == "scaling" || arguments.view == "messages") &&
      (arguments.division_flops != "1" || !arguments.rows.empty() || !inputs.ceilings.empty() ||
       !inputs.external.empty() || !inputs.machines.empty()))
    throw std::invalid_argument(
        fmt::format("--view={}: uses the run's own measurements; leave --division-flops, --rows, --ceilings, "
                    "--external-ceilings and --with out",
                    arguments.view));
}

/// Drops what no pattern names; without patterns nothing.
void keep_rows(Results& run, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return;
  std::erase_if(run.points, [&](const KernelPoint& point) {
    return std::none_of(patterns.begin(), patterns.end(),
                        [&](const std::string& pattern) { return fits_row(pattern, point.name); });
  });
  if (run.points.empty())
    throw std::invalid_argument(
        fmt::format("--rows={}: no row has such a name; roofline show --all lists them", patterns.front()));
  assess(run);
}

/// mpi.json is not a run of rows, so it has a view of its own.
std::string messages_of(const std::vector<std::string>& files) {
  if (files.size() != 1) throw std::invalid_argument("--view=messages: give one mpi.json");
  return message_plot(read_plain_text(files.front()), files.front());
}

int plot(const Arguments& arguments) {
  require_use(arguments);
  Results results;
  std::string picture;
  const bool is_page = fs::path(arguments.out).extension() == ".html";
  if (arguments.view == "scaling") {
    picture = scaling_plot(arguments.inputs.read_each());
  } else if (arguments.view == "messages") {
    picture = messages_of(arguments.inputs.files);
  } else {
    auto run = arguments.inputs.read();
    keep_rows(run, arguments.rows);
    results = by_account(run, arguments.convention());
    auto additions = additions_of(arguments);
    if (arguments.is_both()) additions.before = &run;
    picture = is_page                     ? html_page(results)
              : !arguments.only.empty()   ? panel_plot(results, arguments.only, arguments.width)
              : arguments.has_additions() ? svg_plot(results, additions)
                                          : views().at(arguments.view)(results);
  }
  require_writable(arguments.out);
  is_page ? write_file(arguments.out, picture) : write_picture(arguments.out, picture);
  for (const auto& warning : results.warnings) fmt::print(stderr, "{}\n", printable(warning));
  print("written to " + arguments.out + "\n");
  return exit_ok;
}

void define(CLI::App& flags, Arguments& arguments) {
  arguments.inputs.define(flags);
  flags
      .add_option("--with", arguments.inputs.machines,
                  "show the roofs of another machine next to ours: a run.json, or a name of results/machines")
      ->type_name("NAME");
  flags.add_option("-o,--out", arguments.out, "the plot: .svg, or by rsvg-convert .png or .pdf; with .html the page")
      ->capture_default_str();
  std::vector<std::string> names{"scaling", "messages"};
  for (const auto& [name, view] : views()) names.push_back(name);
  flags
      .add_option("--view", arguments.view,
                  "roofline; time: seconds that each resource needs; instructions: for GPU rows; cache-aware: all "
                  "points at the bytes of L1; scaling: run.json of several --threads, a line per kernel; messages: "
                  "from mpi.json, the rates of 1, 4 and 16 messages and of halos")
      ->capture_default_str()
      ->check(CLI::IsMember(names));
  flags
      .add_option("--only", arguments.only,
                  "draw one plot for a paper, without table and caption: a family, or rows like 'gpp/nw:*'; '*': all")
      ->type_name("ROWS");
  flags.add_option("--width", arguments.width, "width of --only in pixels; 96 are an inch")
      ->capture_default_str()
      ->check(between(300, 4000));
  flags.get_option("--width")->needs(flags.get_option("--only"));
  flags
      .add_option("--division-flops", arguments.division_flops,
                  std::string(division_flops_help) + "; both or both:K: points of both accounts, joined by an arrow")
      ->type_name("1|K|measured|both|both:K");
  flags
      .add_option("--mix", arguments.mixes,
                  "draw the ceiling of the instruction mix of rows as a line; * fits anything")
      ->type_name("ROW");
  flags.add_option("--rows", arguments.rows, "draw rows of this name alone; * fits anything")->type_name("ROW");
  flags.add_flag("--theory", arguments.theory, "draw the theory of the roofs, dotted, with the gap in percent");
  flags.add_option("--ai", arguments.intensities, "draw a vertical line at an intensity: 0.083:triad")
      ->type_name("FLOP/B[:NAME]");
  flags.add_option("--x", arguments.x, "the intensities that the large plot shows, in FLOP/B")->type_name("LOW:HIGH");
  flags.add_option("--y", arguments.y, "the rates that it shows, in GFLOP/s")->type_name("LOW:HIGH");
  flags.footer(
      "Examples: roofline plot roofline-out -o plot.svg\n"
      "          roofline plot roofline-out --only=gpp --width=480 -o figure.pdf\n"
      "          roofline plot results.json --ceilings=run.json --flops=FLOP_rate --bytes=bytes_rate");
}

const Subcommand registered("plot", "the roofline of one or several files, ours or others'", define, plot);

}  // namespace
}  // namespace roofline::cli::plot_command
