#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/model/assessment.hpp"
#include "bench/result/flop_convention.hpp"
#include "bench/result/reports.hpp"
#include "bench/storage/row_columns.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "bench/text/table.hpp"
#include "reporters/files/files.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/roof_lines.hpp"
#include "tools/roofline/subcommand.hpp"

// Subcommands that read one run.json and report on it: show, explain, report; and schema.
namespace roofline::cli::stored_command {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string file = "roofline-out/run.json", division_flops = "1", row, out = "roofline-out";
  std::size_t width = 0;
  bool all = false;

  void define(CLI::App& flags) {
    flags.add_option("run.json", file, "run.json of a stored run, or its folder")->capture_default_str();
    flags.add_option("--division-flops", division_flops, division_flops_help)->type_name("1|K|measured");
  }
  Results read() const { return by_account(read_run(file), parse_flop_convention(division_flops)); }
};

/// A stored run, and what else a run writes and is in its folder.
std::vector<std::string> files_of(const fs::path& folder, const fs::path& run) {
  std::vector<std::string> names{run.string()};
  for (const auto& [name, content] : reports().files) names.push_back(name);
  std::erase_if(names, [&](const auto& name) { return !fs::exists(folder / name); });
  return names;
}

int show(const Arguments& arguments) {
  const auto results = arguments.read();
  const bool utf8 = terminal_speaks_utf8();
  const auto file = run_file(arguments.file), folder = file.has_parent_path() ? file.parent_path() : ".";
  print(arguments.all
            ? everything_text(results, utf8, arguments.width ? arguments.width : output_width())
            : screen_text(results, {utf8, may_be_coloured(), folder.string(), files_of(folder, file.filename())},
                          std::min(output_width(), screen_width)));
  return exit_ok;
}

void define_show(CLI::App& flags, Arguments& arguments) {
  arguments.define(flags);
  flags.add_flag("--all", arguments.all, "every table: all rows, all ceilings, counters, checks, remarks");
  flags
      .add_option("--width", arguments.width,
                  "columns of the tables of --all, from 60; default: the terminal's; in a pipe as wide as they need")
      ->check(between(60, 100'000))
      ->needs(flags.get_option("--all"));
  flags.footer("Example: roofline show --all roofline-out/run.json");
}

/// The files that a run writes next to its run.json, from the stored run.
int report(const Arguments& arguments) {
  const auto results = arguments.read();
  const fs::path out(arguments.out);
  require_writable(out / "report.html");
  std::string names;
  for (const auto& [name, content] : reports().files) {
    write_file(out / name, content(results));
    names += " " + name;
  }
  print(fmt::format("written to {}:{}\n", arguments.out, names));
  return exit_ok;
}

void define_report(CLI::App& flags, Arguments& arguments) {
  arguments.define(flags);
  flags.get_option("run.json")->required()->default_str("");
  flags.add_option("-o,--out", arguments.out, "folder for the files")->capture_default_str();
  flags.footer("Example: roofline report roofline-out -o again");
}

/// One resource as a bar of 40 characters, one for 2.5 % of the time.
std::string bar(const ResourceShare& resource) {
  const auto length = static_cast<std::size_t>(std::min(resource.share, 1.5) * 40 + 0.5);
  return fmt::format("  {:<40}{:>6} %  {}\n", in_words(resource.resource), percent(resource.share),
                     std::string(length, '#'));
}

/// Takes the figures of a GPU's profiler out of `details`, for a paragraph; empty where none is known.
std::string profile_text(std::map<std::string, double>& details) {
  std::string figures;
  for (const auto& column : stored::profile_columns())
    if (const auto figure = details.extract(column.name))
      figures += fmt::format(
          "{}{} {}", figures.empty() ? "" : ", ", column.heading,
          column.name == "registers" ? fmt::format("{:.0f}", figure.mapped()) : percent(figure.mapped()) + " %");
  return figures.empty() ? figures : "\n" + wrap("profile: " + figures, terminal_width);
}

/// "1.34 .. 5.65, ": FLOP/B over the interval that a model gives for the bytes of a level; empty where it gives none.
std::string intensities(const Counts& counts, MemoryLevel level) {
  const auto& range = counts.range[static_cast<std::size_t>(level)];
  const auto flops = static_cast<double>(counts.operations.flops());
  if (!range || !(range->low > 0) || flops == 0) return {};
  const auto least = significant(flops / range->high), most = significant(flops / range->low);
  return least == most ? std::string() : least + " .. " + most + ", ";
}

std::string text_of(const Results& results, const KernelPoint& point) {
  auto text = point.name + "\n" + wrap(explain(results.roofline, point), terminal_width, 0);
  const auto& counts = point.counts;
  const bool has_time = point.is_bound() || std::isfinite(point.known_seconds());
  text += fmt::format("\n  {:<28}{}\n", point.is_bound() ? "time at least" : "time of a launch",
                      has_time ? fmt::format("{} ({} .. {})", duration(point.time.median), duration(point.time.low),
                                             duration(point.time.high))
                               : std::string(absent));
  if (counts.operations.flops() > 0)
    text +=
        fmt::format("  {:<28}{} GFLOP/s, {} FLOP per launch ({}, {})\n", "rate", significant(giga(point.flop_rate())),
                    point.rate_only ? std::string(absent) : std::to_string(counts.operations.flops()),
                    name(counts.operations_source), name(counts.account));
  if (const auto& o = counts.operations; counts.kinds_known && o.flops() > 0)
    text += fmt::format("  {:<28}alpha {} (FMA {}, MUL {}, ADD {}, DIV {})\n", "instruction mix",
                        significant(o.fma_fraction()), o.fma, o.mul, o.add, o.div);
  const auto judged = [&](const char* what, const std::optional<Judgement>& judgement) {
    if (judgement)
      text += fmt::format(
          "  {:<28}{} %{}{}, {}{}\n", what, percent(judgement->efficiency),
          judgement->range ? fmt::format(" ({})", interval_text(judgement)) : "",
          judgement->attainable ? fmt::format(" of {} GFLOP/s", significant(giga(*judgement->attainable))) : "",
          name(judgement->bound),
          judgement->efficiency < 1 ? fmt::format(", headroom {:.2f}", 1 / judgement->efficiency) : "");
  };
  judged("of its roof", point.assessment.roof), judged("of the roof of its mix", point.assessment.mix);
  for (const auto level : all_memory_levels)
    if (const auto& traffic = point.counts.at(level))
      text += fmt::format("  {:<28}{} B, {} GB/s, {} FLOP/B ({}{})\n", fmt::format("bytes of {}", name(level)),
                          point.rate_only ? std::string(absent) : fmt::format("{:.4g}", traffic->total()),
                          significant(giga(traffic->total() / point.time.median)),
                          significant(point.counts.intensity(level)), intensities(point.counts, level),
                          point.counts.traffic_label());
  auto details = point.counts.details;
  text += profile_text(details);
  const auto resources = resource_shares(results.roofline, point);
  constexpr double shown_from = 0.0005;  // less is 0.0 % in print
  if (!resources.empty()) text += "\nwhat each resource by itself needs of the time:\n";
  for (const auto& resource : resources)
    if (resource.share >= shown_from) text += bar(resource);
  if (const auto& counts = point.counts; counts.instructions && counts.cycles)
    text += fmt::format("\n  {:<28}{:.10g} in {:.10g} cycles of a launch\n", "instructions", *counts.instructions,
                        *counts.cycles);
  if (!details.empty()) text += "\ncounted of a launch, by a profiler's names:\n";
  for (const auto& [counter, number] : details) text += fmt::format("  {:<28}{:.10g}\n", counter, number);
  if (contradicts(point)) text += wrap(std::string("! ") + above_roof_causes, terminal_width);
  return text;
}

/// Whatever the case: handouts and talks write FP for "fp".
bool contains(const std::string& name, const std::string& part) {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(name.begin(), name.end(), part.begin(), part.end(), same) != name.end();
}

int explain_row(const Arguments& arguments) {
  auto stored = read_run(arguments.file);
  stored.warnings.clear();  // of the run; the account's own warnings are reported
  const auto results = by_account(std::move(stored), parse_flop_convention(arguments.division_flops));
  for (const auto& warning : results.warnings) fmt::print(stderr, "roofline: {}\n", printable(warning));
  std::string text;
  // A whole name means that row alone, also where others begin with it.
  const bool is_name = std::any_of(results.points.begin(), results.points.end(),
                                   [&](const auto& point) { return point.name == arguments.row; });
  for (const auto& point : results.points)
    if (is_name ? point.name == arguments.row : contains(point.name, arguments.row))
      text += (text.empty() ? "" : "\n") + with_memory_name(text_of(results, point), results);
  if (text.empty()) {
    fmt::print(stderr, "roofline: {}: no row contains '{}'; roofline show --all {} lists them\n", arguments.file,
               arguments.row, arguments.file);
    return exit_no_match;
  }
  print(printable(text));
  return exit_ok;
}

void define_explain(CLI::App& flags, Arguments& arguments) {
  flags.add_option("ROW", arguments.row, "a row's name, or a part of it")->required();
  arguments.define(flags);
  flags.footer("Example: roofline explain gpp/nw:6 roofline-out/run.json");
}

Action define_schema(CLI::App& flags) {
  flags.footer("Example: roofline schema > run.schema.json");
  return [] { return put(run_json_schema().dump(2) + "\n", ""); };
}

const Subcommand registered[] = {
    {"show", "a stored run on one screen, or all of its tables", define_show, show},
    {"explain", "explain the bound of a row, how far it is, and what helps", define_explain, explain_row},
    {"report", "page, plots and tables of a stored run, written again", define_report, report},
    {"schema", "the JSON Schema of run.json, with a description of each field", define_schema}};

}  // namespace
}  // namespace roofline::cli::stored_command
