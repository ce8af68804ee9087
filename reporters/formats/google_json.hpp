#pragma once
#include <string>

#include "bench/run/results.hpp"

namespace roofline {

/// Which counters of a suite mean FLOPs and bytes.
struct GoogleCounters {
  std::string flops, bytes;
  MemoryLevel level = MemoryLevel::DRAM;  ///< that the bytes cross
  bool per_iteration = false;             ///< of one iteration; otherwise they are rates, per second
};

/// Rows of any Google Benchmark suite as points: the median of a row's repetitions, or its aggregate "median" where
/// only aggregates were reported. Throws FileError with place and reason, std::invalid_argument naming the counters
/// there are when no row has those that were asked for.
Results parse_google_json(const std::string& text, const std::string& origin, const GoogleCounters& counters);

}  // namespace roofline
