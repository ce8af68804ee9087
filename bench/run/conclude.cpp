#include "bench/run/conclude.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "bench/model/assessment.hpp"
#include "bench/run/physics.hpp"

namespace roofline {

namespace {

constexpr double usual_change = 0.03;  // of a clock within a run

/// How far the clock of the cores moved, in words; empty where it did not, or is not known.
std::string moved_clock(const Results& results) {
  double low = 0, high = 0;
  const auto see = [&](double clock) {
    if (clock <= 0) return;
    low = low == 0 ? clock : std::min(low, clock), high = std::max(high, clock);
  };
  for (const auto& ceiling : results.roofline.ceilings()) see(ceiling.core_clock);
  for (const auto& point : results.points) see(point.core_clock);
  if (high <= (1 + usual_change) * low) return {};
  return fmt::format(
      "busy cores ran at {:.2f} to {:.2f} GHz during the run: each kernel is held against arithmetic, L1 and L2 at the "
      "clock that it had (core_clock in efficiency.csv)",
      1e-9 * low, 1e-9 * high);
}

/// That the cores were moved, in words; empty where they were not, or hardly.
std::string moved_cores(const Results& results) {
  constexpr double hardly = 0.01;
  const auto& d = results.core_distances;
  if (!d || d->share_away <= hardly) return {};
  return fmt::format(
      "the hypervisor moved the cores: a signal took {:.0f} ns from one to the next for most of the run, {:.0f} ns or "
      "other "
      "times for {:.0f} % of it; L3 and DRAM are not the same then, so the samples of a ceiling or a kernel are of one "
      "placement (core_distance in efficiency.csv)",
      1e9 * d->home, 1e9 * d->away, 100 * d->share_away);
}

}  // namespace

void conclude(Results& results) {
  assess(results.roofline, results.points);
  results.checks = physics_checks(results);
  results.verdict = verdict_of(results);
  // A stored run has the lines among its warnings.
  for (auto&& moved : {moved_clock(results), moved_cores(results)})
    if (auto& known = results.warnings; !moved.empty() && std::find(known.begin(), known.end(), moved) == known.end())
      known.push_back(moved);
  results.concluded = true;
}

Results concluded(Results results) {
  if (!results.concluded) conclude(results);
  return results;
}

}  // namespace roofline
