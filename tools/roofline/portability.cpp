#include "reporters/view/portability.hpp"

#include <fmt/format.h>

#include "bench/result/flop_convention.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "tools/roofline/machines.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::portability_command {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::string p3, division_flops = "1";
  bool mix = false;
};

/// A machine's own name says more than that of its file, where they differ.
std::string platform_name(const Results& results, const std::vector<PlatformResult>& others) {
  const std::string name = results.model ? results.model->device
                           : results.gpu ? results.gpu->name
                                         : results.machine.name;
  const auto numbered = [&](int n) { return n == 1 ? name : name + " " + std::to_string(n); };
  int n = 1;
  for (const auto& other : others) n += other.name == numbered(n);
  return numbered(n);
}

int portability(const Arguments& arguments) {
  const auto account = parse_flop_convention(arguments.division_flops);
  std::vector<PlatformResult> platforms;
  std::vector<std::string> notes;
  for (const auto& name : arguments.files) {
    const auto file = file_of_machine(name);
    const auto text = read_plain_text(file);
    if (!text.starts_with("{")) {
      for (auto& platform : parse_efficiencies(text, file, notes)) platforms.push_back(std::move(platform));
    } else {
      auto stored = parse_run(text, file);
      stored.warnings.clear();  // of the run; the account's own warnings are reported
      const auto results = by_account(std::move(stored), account);
      for (const auto& warning : results.warnings) notes.push_back(file + ": " + warning);
      platforms.push_back(platform_of(platform_name(results, platforms), results, arguments.mix));
    }
  }
  for (auto& note : join_sizes(platforms)) notes.push_back(std::move(note));
  for (const auto& note : notes) fmt::print(stderr, "{}\n", printable(note));
  if (!arguments.p3.empty()) write_file(arguments.p3, p3_csv(platforms));
  print(to_text(portability_table(platforms), output_width()));
  return exit_ok;
}

void define(CLI::App& flags, Arguments& arguments) {
  flags
      .add_option("FILE", arguments.files,
                  "run.json of each platform, a name of results/machines, or a CSV file kernel,platform,efficiency or "
                  "of the p3 library")
      ->required();
  flags.add_flag("--mix", arguments.mix, "against the roof of each kernel's own mix");
  flags
      .add_option("--division-flops", arguments.division_flops,
                  std::string(division_flops_help) + "; efficiencies of a CSV file stay as they are")
      ->type_name("1|K|measured");
  flags
      .add_option("--p3", arguments.p3,
                  "write the input of the p3-analysis library, which draws cascade plots and navigation charts")
      ->type_name("FILE.csv");
  flags.footer("Example: roofline portability cpu/run.json gpu/run.json --p3=p3.csv");
}

const Subcommand registered("portability", "how efficient kernels are over several platforms", define, portability);

}  // namespace
}  // namespace roofline::cli::portability_command
