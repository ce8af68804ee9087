#include <fmt/format.h>

#include <algorithm>

#include "bench/result/reports.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "reporters/files/roof_names.hpp"
#include "reporters/imports/input.hpp"
#include "tools/roofline/inputs.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::convert_command {
namespace {

struct Arguments {
  Inputs inputs;
  std::string to, out;
};

/// A stored run without rows of its own: the imported rows are in its block.
std::string as_run(const Results& results) {
  return run_json(R"({"context": {"converted": true}, "benchmarks": []})", results);
}

const ConvertFormat to_run("run", "our run.json", as_run);

/// The roofs that a file was to contain and does not give back.
std::string lost_in(const std::string& text, const std::string& format, const Results& results) {
  if (results.roofline.empty() || !(format == "ert" || format.starts_with("data"))) return {};
  Results back;
  try {
    back = parse_input(text, format);
  } catch (const FileError&) {  // nothing that the format has a place for
  }
  return lost_roofs(results.roofline, back.roofline);
}

int convert(const Arguments& arguments) {
  const auto results = arguments.inputs.read();
  const auto& formats = reports().formats;
  const auto to = std::find_if(formats.begin(), formats.end(), [&](const auto& f) { return arguments.to == f.name; });
  const auto text = to->content(results);
  for (const auto& warning : results.warnings) fmt::print(stderr, "{}\n", printable(warning));
  if (const auto lost = lost_in(text, arguments.to, results); !lost.empty())
    fmt::print(stderr, "--to={} has no place for {}: left out, or under another name\n", arguments.to, printable(lost));
  if (!arguments.out.empty()) require_writable(arguments.out);
  return put(text, arguments.out);
}

void define(CLI::App& flags, Arguments& arguments) {
  arguments.inputs.define(flags);
  std::vector<std::string> names;
  std::string help;
  for (const auto& format : reports().formats) {
    names.emplace_back(format.name);
    help += fmt::format("{}{} ({})", help.empty() ? "" : ", ", format.name, format.about);
  }
  flags.add_option("--to", arguments.to, help)->required()->check(CLI::IsMember(names));
  flags.add_option("-o,--out", arguments.out, "file; without it standard output");
  flags.footer("Example: roofline convert roofline.json --to=data -o data.txt");
}

const Subcommand registered("convert", "between formats: our JSON, ERT's roofline.json, data.txt, CSV, ...", define,
                            convert);

}  // namespace
}  // namespace roofline::cli::convert_command
