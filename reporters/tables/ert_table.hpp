#pragma once
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// ERT's sweep, next to the ceilings: GB/s and GFLOP/s over the working set, one row per factor of four, and the
/// plateaus that ERT's post-processing finds, named from the cache geometry. Empty when there was no sweep.
Table ert_table(const Results& results);

}  // namespace roofline
