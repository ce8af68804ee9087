#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <stdexcept>

#include "bench/any_program/runs.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "reporters/page/page.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/flop_convention.hpp"
#include "tools/roofline/inputs.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::plot_command {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  Inputs inputs;
  std::string out = "roofline.svg", view = "roofline", division_flops = "1", only;
  double width = 640;
};

using View = std::string (*)(const Results&);
/// Those of one run; "scaling" joins several, "messages" is of ranks together.
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
  if (!page) require_kind_of_picture(arguments.out);
  if (!arguments.only.empty() && (page || arguments.view != "roofline"))
    throw std::invalid_argument("--only: is one plot of the roofline; leave --view and a page (-o FILE.html) out");
  const auto& inputs = arguments.inputs;
  if ((arguments.view == "scaling" || arguments.view == "messages") &&
      (arguments.division_flops != "1" || !inputs.ceilings.empty() || !inputs.external.empty()))
    throw std::invalid_argument(fmt::format(
        "--view={}: takes what was measured in the run; leave --division-flops, --ceilings and --external-ceilings out",
        arguments.view));
}

/// mpi.json is no run of rows: it has a view of its own.
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
    results = by_account(arguments.inputs.read(), parse_flop_convention(arguments.division_flops));
    picture = is_page                  ? html_page(results)
              : arguments.only.empty() ? views().at(arguments.view)(results)
                                       : panel_plot(results, arguments.only, arguments.width);
  }
  require_writable(arguments.out);
  is_page ? write_file(arguments.out, picture) : write_picture(arguments.out, picture);
  for (const auto& warning : results.warnings) fmt::print(stderr, "{}\n", printable(warning));
  print("written to " + arguments.out + "\n");
  return exit_ok;
}

void define(CLI::App& flags, Arguments& arguments) {
  arguments.inputs.define(flags);
  flags.add_option("-o,--out", arguments.out, "the plot: .svg, or by rsvg-convert .png or .pdf; with .html the page")
      ->capture_default_str();
  std::vector<std::string> names{"scaling", "messages"};
  for (const auto& [name, view] : views()) names.push_back(name);
  flags
      .add_option(
          "--view", arguments.view,
          "roofline; time: seconds that each resource needs; instructions: of GPU rows; cache-aware: all points at "
          "the bytes of L1; scaling: run.json of several --threads, a line per kernel; messages: of mpi.json, the "
          "rates of 1, 4 and 16 messages and of halos")
      ->capture_default_str()
      ->check(CLI::IsMember(names));
  flags
      .add_option("--only", arguments.only,
                  "one plot for a paper, without table and caption: of a family, or of rows like 'gpp/nw:*'; '*': all")
      ->type_name("ROWS");
  flags.add_option("--width", arguments.width, "of --only, in pixels; 96 are an inch")
      ->capture_default_str()
      ->check(between(300, 4000));
  flags.get_option("--width")->needs(flags.get_option("--only"));
  flags.add_option("--division-flops", arguments.division_flops, division_flops_help)->type_name("1|K|measured");
  flags.footer(
      "Examples: roofline plot roofline-out -o plot.svg\n"
      "          roofline plot roofline-out --only=gpp --width=480 -o figure.pdf\n"
      "          roofline plot results.json --ceilings=run.json --flops=FLOP_rate --bytes=bytes_rate");
}

const Subcommand registered("plot", "the roofline of one or several files, ours or others'", define, plot);

}  // namespace
}  // namespace roofline::cli::plot_command
