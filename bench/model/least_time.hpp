#pragma once
#include <optional>

#include "bench/model/roofline.hpp"

namespace roofline {

/// What the slowest resource of a launch needs at its ceiling: no run can be faster, if the counts and ceilings hold.
struct LeastTime {
  double seconds = 0;
  Resource bound;  ///< a level of memory, fork-join, or the units of compute_mix()
};

/// max(instructions / ceiling of their mix, bytes of each level / ceiling of the access mix they resemble,
/// parallel regions / ceiling of fork-join).
///
/// `executed` are the instructions of the launch, divisions expanded where the device does so. Absent when no ceiling
/// bounds the launch.
std::optional<LeastTime> least_time(const Roofline& roofline, const Counts& counts, const Operations& executed);

/// Counts whose bytes are the low or the high end of their intervals.
Counts at_end(Counts counts, double Span::*end);

}  // namespace roofline
