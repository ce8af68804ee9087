#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bench/result/reports.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "reporters/view/flop_convention.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::report_command {
namespace {

struct Arguments {
  std::string file, out = "roofline-out", division_flops = "1";
};

/// The files that a run writes next to its run.json, from the stored run.
int report(const Arguments& arguments) {
  const auto results = by_account(read_run(arguments.file), parse_flop_convention(arguments.division_flops));
  const std::filesystem::path out(arguments.out);
  require_writable(out / "report.html");
  std::string names;
  for (const auto& [name, content] : reports().files) {
    write_file(out / name, content(results));
    names += " " + name;
  }
  print(fmt::format("written to {}:{}\n", arguments.out, names));
  return exit_ok;
}

Action define(CLI::App& flags) {
  const auto arguments = std::make_shared<Arguments>();
  flags.add_option("run.json", arguments->file, "of a stored run")->required();
  flags.add_option("-o,--out", arguments->out, "folder for the files")->capture_default_str();
  flags.add_option("--division-flops", arguments->division_flops, division_flops_help)->type_name("1|K|measured");
  flags.footer("Example: roofline report results/xeon-cascadelake-2cores/run.json -o /tmp/again");
  return [arguments] { return report(*arguments); };
}

const Subcommand registered("report", "page, plots and tables of a stored run, written again", define);

}  // namespace
}  // namespace roofline::cli::report_command
