#pragma once
#include <vector>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// Compute ceilings in GFLOP/s with interval, theoretical value and winning variant, grouped by precision and threads.
Table compute_ceiling_table(const Results& results);

/// Bandwidth of levels x access mixes in GB/s for all threads, the roof of each level, its interval and ridge point.
Table bandwidth_table(const Results& results);

/// Every other bandwidth ceiling as a row: strided, random, other thread counts.
Table other_bandwidth_table(const Results& results);

}  // namespace roofline
