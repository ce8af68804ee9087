#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// One row per kernel point, RFC 4180, numbers in full precision (they read back to the same bits).
///
/// Columns bear the names of the counters in run.json; units are SI: seconds, bytes, FLOP, FLOP/s, FLOP/B. Counts are
/// of one launch, `written_<level>` is the written part of `bytes_<level>`, efficiencies are fractions and never
/// clamped, flags are 0 or 1. What is unknown is an empty field. Modelled points have `time_bound` in place of
/// `time_median`, and `bytes_<level>_low` and `_high` where the model gives an interval.
std::string efficiency_csv(const Results& results);

}  // namespace roofline
