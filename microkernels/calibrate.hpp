#pragma once
#include <algorithm>

#include "bench/machine/clock.hpp"

namespace roofline {

/// Seconds that one launch of a small ceiling lasts: long against a parallel region's start (a few us), short enough
/// for many samples.
inline constexpr double launch_seconds = 1e-3;

/// Repetitions, a multiple of `unit`, for which `run(repetitions)` takes about launch_seconds.
template <class Run>
long calibrate(Run run, long unit) {
  for (long repetitions = unit;; repetitions *= 2) {
    double seconds = 1;
    for (int attempt = 0; attempt < 3; ++attempt) {  // one of them is not disturbed
      const auto start = Clock::now();
      run(repetitions);
      seconds = std::min(seconds, seconds_since(start));
    }
    if (seconds < launch_seconds / 8) continue;
    const double wanted = static_cast<double>(repetitions) * launch_seconds / seconds;
    return std::max(unit, static_cast<long>(wanted) / unit * unit);
  }
}

}  // namespace roofline
