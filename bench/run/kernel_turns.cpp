#include <fmt/format.h>

#include <algorithm>

#include "bench/model/core_distance.hpp"
#include "bench/model/turn_spread.hpp"
#include "bench/run/kernel_phase.hpp"

/// Rows that are measured in two turns, minutes apart, and what these say of those that got one.
namespace roofline {

KernelPhase::Timed KernelPhase::joined_with_first(const std::string& row, Timed second) const {
  const auto found = first_look_.find(row);
  if (found == first_look_.end()) return second;
  const auto& first = found->second;
  if (may_be_same_distance(first.point.core_distance, second.point.core_distance)) {
    join(second.point, first.point);
    return second;
  }
  // Two machines, as it were: that of most of the run counts.
  const auto& place = run_.placement;
  const bool keep_first = place.at_home(first.point.core_distance) && !place.at_home(second.point.core_distance);
  auto kept = keep_first ? first : std::move(second);
  kept.point.given_up = "one turn: in the other the cores lay elsewhere";
  return kept;
}

bool KernelPhase::second_turn_fits(const std::string& row) {
  if (!run_.time.limited() || !first_look_.contains(row)) return true;
  double to_come = 0;
  for (const auto& [other, seconds] : first_seconds_) to_come += seconds;
  first_seconds_.erase(row);
  second_share_ = to_come > 0 ? std::clamp(run_.time.left() / to_come, 0.0, 1.0) : 1;
  return second_turns_.picks(second_share_);
}

namespace {

/// What cores share, L3 and DRAM, drifts by a tenth where arithmetic and the cores' own caches keep to a percent.
bool depends_on_what_is_shared(const KernelPoint& point) { return point.core_distance > 0 || point.dram_pace; }

}  // namespace

void KernelPhase::hold_drift() {
  if (run_.passes < 2) return;
  std::vector<Turns> of_shared, of_cores, paced;
  for (const auto& [row, repetitions] : found_)
    for (const auto& [point, measurement] : repetitions) {
      if (point.turns) (depends_on_what_is_shared(point) ? of_shared : of_cores).push_back(*point.turns);
      if (point.paced_turns) paced.push_back(*point.paced_turns);
    }
  const auto shared = turn_spread(of_shared), cores = turn_spread(of_cores), of_paced = turn_spread(paced);
  for (auto& [row, repetitions] : found_)
    for (auto& [point, measurement] : repetitions) {
      const int turns = point.turns ? 2 : 1;
      const auto& spread = depends_on_what_is_shared(point) ? shared : cores;
      if (spread) point.time = widened(point.time, half_width_of_turns(*spread, turns));
      point.converged = point.converged && point.time.relative_half_width() <= Budget{}.target_half_width;
      if (of_paced && point.paced_time)
        point.paced_time = widened(*point.paced_time, half_width_of_turns(*of_paced, turns));
    }
  constexpr double hardly = 0.01;
  const auto say = [&](const std::optional<double>& spread, std::size_t rows, const char* which) {
    if (spread && *spread > hardly)
      run_.results.warnings.push_back(fmt::format(
          "from one turn of a kernel to the next times {} moved by {:.1f} % (standard deviation over {} rows): their "
          "intervals are at least +-{:.1f} %, with one turn +-{:.1f} %",
          which, 100 * *spread, rows, 100 * half_width_of_turns(*spread, 2), 100 * half_width_of_turns(*spread, 1)));
  };
  say(shared, of_shared.size(), "that depend on L3 or DRAM");
  say(cores, of_cores.size(), "that depend on the cores alone");
}

}  // namespace roofline
