#include <filesystem>
#include <memory>

#include "bench/result/reports.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "reporters/files/files.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/view/flop_convention.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::show_command {
namespace {

struct Arguments {
  std::string file = "roofline-out/run.json", division_flops = "1";
  std::size_t width = 0;
  bool all = false;
};

/// What a run writes and is in the folder of this one.
std::vector<std::string> files_of(const std::filesystem::path& folder) {
  std::vector<std::string> names{"run.json"}, found;
  for (const auto& [name, content] : reports().files) names.push_back(name);
  for (const auto& name : names)
    if (std::filesystem::exists(folder / name)) found.push_back(name);
  return found;
}

int show(const Arguments& arguments) {
  const auto results = by_account(read_run(arguments.file), parse_flop_convention(arguments.division_flops));
  const auto width = arguments.width ? arguments.width : output_width();
  const bool utf8 = terminal_speaks_utf8();
  if (arguments.all) {
    print(everything_text(results, utf8, width));
    return exit_ok;
  }
  const auto folder = std::filesystem::path(arguments.file).parent_path();
  print(screen_text(results, {utf8, may_be_coloured(), folder.string(), files_of(folder)}));
  return exit_ok;
}

Action define(CLI::App& flags) {
  const auto arguments = std::make_shared<Arguments>();
  flags.add_option("run.json", arguments->file, "of a stored run")->capture_default_str();
  flags.add_flag("--all", arguments->all, "every table: all rows, all ceilings, counters, checks, remarks");
  flags
      .add_option("--width", arguments->width,
                  "columns of the tables of --all, from 60; default: the terminal's, in a pipe what they need")
      ->check(between(60, 100'000));
  flags.add_option("--division-flops", arguments->division_flops, division_flops_help)->type_name("1|K|measured");
  flags.footer("Example: roofline show --all roofline-out/run.json");
  return [arguments] { return show(*arguments); };
}

const Subcommand registered("show", "a stored run on one screen, or all of its tables", define);

}  // namespace
}  // namespace roofline::cli::show_command
