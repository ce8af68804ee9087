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

}  // namespace

void conclude(Results& results) {
  assess(results.roofline, results.points);
  results.checks = physics_checks(results);
  results.verdict = verdict_of(results);
  // A stored run has the line among its warnings.
  if (auto moved = moved_clock(results); !moved.empty())
    if (auto& known = results.warnings; std::find(known.begin(), known.end(), moved) == known.end())
      known.push_back(std::move(moved));
  results.concluded = true;
}

Results concluded(Results results) {
  if (!results.concluded) conclude(results);
  return results;
}

}  // namespace roofline
