
#include "bench/text/output.hpp"
#include "reporters/comparison/outputs.hpp"
#include "tools/roofline/gate_flags.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::compare_command {
namespace {

struct Arguments {
  std::vector<std::string> files;
  GateFlags flags;
  bool print_schema = false;
};

std::vector<SidePair> read_pairs(const std::vector<std::string>& files) {
  if (files.empty() || files.size() % 2 != 0)
    throw std::invalid_argument("compare: files come in pairs, BASE.json NEW.json [BASE.json NEW.json ...]");
  std::vector<SidePair> pairs;
  for (std::size_t i = 0; i < files.size(); i += 2) pairs.push_back({read_side(files[i]), read_side(files[i + 1])});
  return pairs;
}

int run(const Arguments& arguments) {
  if (arguments.print_schema) return print(verdict_json_schema()), exit_ok;
  arguments.flags.require_writable_files();
  return arguments.flags.finish(compare(read_pairs(arguments.files), arguments.flags.options()));
}

void define(CLI::App& flags, Arguments& arguments) {
  flags
      .add_option("FILE", arguments.files,
                  "run.json, or --benchmark_out of any Google Benchmark program, of the base and of the new side; more "
                  "pairs may follow")
      ->type_name("BASE.json NEW.json ...");
  flags.add_flag("--print-schema", arguments.print_schema, "print the JSON schema of --json");
  arguments.flags.define(flags);
  flags.footer(
      "Exit codes: 0 nothing is worse, 1 something is, 2 usage, 3 invalid or nothing decidable, 4 unreadable, 5 no row "
      "in common though rows may go.\nExample: roofline compare base/run.json new/run.json --markdown=comment.md "
      "--junit=gate.xml");
}

const Subcommand registered("compare", "compare two stored runs: rows are better, worse, the same, or undecided",
                            define, run);

}  // namespace
}  // namespace roofline::cli::compare_command
