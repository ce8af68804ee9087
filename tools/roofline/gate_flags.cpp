#include "tools/roofline/gate_flags.hpp"

#include <fmt/format.h>

#include "bench/text/output.hpp"
#include "reporters/comparison/outputs.hpp"

namespace roofline::cli {

void GateFlags::define(Flags& flags) {
  flags.add("--floor", floor, "percent: smaller changes of time are none").shows_default().between(0.1, 50.0);
  flags
      .add("--aa-spread", spread,
           "percent that runs of one build differ by on this machine: the floor is at least twice that")
      .between(0.0, 50.0);
  flags.add("--alpha", alpha, "chance of a false WORSE or BETTER among all times together")
      .shows_default()
      .between(0.0001, 0.5);
  flags.add("--allow-missing", allow_missing, "rows that only the base has are no alarm");
  flags.add("--gate", gate, "what decides the exit code: all, or exact (counts and validity, not times)")
      .shows_default()
      .one_of({"all", "exact"});
  flags.add("--inconclusive", inconclusive, "ok or fail (exit 3); default: ok for compare, fail for ab")
      .one_of({"ok", "fail"});
  flags.add("--strict", strict, "exit 3 where something could not be told: --inconclusive=fail");
  flags.exclude("--strict", {"--inconclusive"});
  for (const auto& output : comparison_outputs())
    flags.add("--" + output.flag, files[output.flag], output.about).type_name("FILE");
}

ComparisonOptions GateFlags::options() const {
  ComparisonOptions options;
  options.floor = floor / 100, options.spread = spread / 100, options.alpha = alpha;
  options.allow_missing = allow_missing;
  return options;
}

void GateFlags::require_writable_files() const {
  for (const auto& [flag, path] : files)
    if (!path.empty()) require_writable(path);
  // What a file grows from is read here too, or a wrong one would be refused only after the runs.
  for (const auto& output : comparison_outputs())
    if (const auto& path = files.at(output.flag); output.appends && !path.empty())
      static_cast<void>(output.text({}, {}, path));
}

int GateFlags::finish(const Comparison& comparison, bool is_gate) const {
  const Gate gated{gate == "all", strict || (inconclusive.empty() ? is_gate : inconclusive == "fail")};
  for (const auto& output : comparison_outputs())
    if (const auto& path = files.at(output.flag); !path.empty())
      write_file(path, output.text(comparison, gated, output.appends ? path : ""));
  return exit_code(comparison, gated);
}

}  // namespace roofline::cli
