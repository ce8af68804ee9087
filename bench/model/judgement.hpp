#pragma once
#include <optional>

#include "bench/model/resource.hpp"
#include "bench/model/statistics.hpp"

namespace roofline {

/// A kernel point compared with one roof.
struct Judgement {
  std::optional<double> attainable;    ///< FLOP/s; absent for a kernel without FLOPs
  double efficiency = 0;               ///< achieved / attainable, never clamped; without FLOPs: least / achieved time
  Resource bound;                      ///< the one that needs most
  std::optional<MemoryLevel> level;    ///< that bounds; absent: compute
  std::optional<Interval> range = {};  ///< of the efficiency over the rounds; absent: fewer than least_rounds
  int rounds = 0;                      ///< of the range

  /// Half the interval is at most a twentieth of the efficiency.
  bool resolved() const { return range && range->high - range->low <= 2 * resolved_half_width * efficiency; }

  static constexpr double resolved_half_width = 0.05;
};

/// Rounds of which a range is given at all, and the fewest of which it is a 95 % interval of the median: 1 - 2 / 2^6 =
/// 96.9 % for the smallest and the largest.
inline constexpr int least_rounds = 3, rounds_of_95_percent = 6;

/// A kernel point compared with its roofline: the roof of the build and best mixes, and the roof of its own mixes.
struct Assessment {
  std::optional<Judgement> roof, mix;
  double in_core = 0;  ///< share of the time that the launch takes with its data in a core's caches; 0: unknown
};

}  // namespace roofline
