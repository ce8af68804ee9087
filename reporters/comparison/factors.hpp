#pragma once
#include <optional>

#include "bench/model/kernel_point.hpp"
#include "bench/model/roofline.hpp"

namespace roofline {

/// A ratio of times (new / base) as a product: above 1 costs time.
struct Factors {
  double work = 1;        ///< what the other operations cost at the base's ceilings
  double traffic = 1;     ///< what the other bytes cost there
  double efficiency = 1;  ///< slower code at equal counts
  Resource bound;         ///< the base's
  double product() const { return work * traffic * efficiency; }
};

/// One side of a row: its counts and the time of a launch in seconds.
struct TimedCounts {
  const Counts* counts = nullptr;
  double seconds = 0;
};

/// Splits the ratio of times. The roofline of the *base* prices both sides, so that no ceiling is compared with one of
/// another moment: work = T(new operations, old bytes) / T(old), traffic = T(new) / T(new operations, old bytes) with T
/// the least time of the slowest resource, and efficiency is the rest.
/// Without ceilings the FLOPs, or of a row without them its outermost bytes, stand for T. Absent when a time is not
/// positive.
std::optional<Factors> factors_of(const Roofline& roofline, const TimedCounts& base, const TimedCounts& next);

}  // namespace roofline
