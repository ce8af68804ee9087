#include "tools/roofline/gate_flags.hpp"

#include <fmt/format.h>

#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "reporters/comparison/outputs.hpp"

namespace roofline::cli {

void GateFlags::define(CLI::App& flags) {
  flags.add_option("--floor", floor, "percent: smaller changes of time are ignored")
      ->capture_default_str()
      ->check(between(0.1, 50.0));
  flags
      .add_option("--drift", drift,
                  "difference between two runs of one program on this machine in percent; default: as seen in its runs")
      ->check(between(0.0, 90.0));
  flags.add_option("--alpha", alpha, "chance of a false WORSE or BETTER among all times together")
      ->capture_default_str()
      ->check(between(0.0001, 0.5));
  flags.add_flag("--allow-missing", allow_missing, "rows that only the base has do not raise an alarm");
  flags.add_option("--gate", gate, "basis of the exit code: all, or exact (counts and validity, not times)")
      ->capture_default_str()
      ->check(CLI::IsMember({"all", "exact"}));
  flags.add_option("--undecided", undecided, "effect of UNDECIDED on the exit code: ok, or fail (exit 3)")
      ->capture_default_str()
      ->check(CLI::IsMember({"ok", "fail"}));
  for (const auto& output : comparison_outputs())
    flags.add_option("--" + output.flag, files[output.flag], output.about)->type_name("FILE");
}

ComparisonOptions GateFlags::options() const {
  ComparisonOptions options;
  options.floor = floor / 100;
  if (drift) options.drift = *drift / 100;
  options.alpha = alpha;
  options.allow_missing = allow_missing;
  return options;
}

void GateFlags::require_writable_files() const {
  for (const auto& [flag, path] : files)
    if (!path.empty()) require_writable(path);
}

int GateFlags::finish(const Comparison& comparison) const {
  print(printable(comparison_text(comparison, output_width())));
  const Gate gated{gate == "all", undecided == "fail"};
  for (const auto& output : comparison_outputs())
    if (const auto& path = files.at(output.flag); !path.empty()) write_file(path, output.text(comparison, gated));
  return exit_code(comparison, gated);
}

}  // namespace roofline::cli
