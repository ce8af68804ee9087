#pragma once
#include "bench/machine/clock.hpp"

namespace roofline {

/// A launch, as it is sampled: so many launches are timed together that one sample is long compared with the timer.
struct Sampled {
  Timer time;
  int batch = 1;
  double seconds = 0;      ///< of one launch, as it was last seen
  bool from_cache = true;  ///< a launch that is not timed comes first: it brings back what others drove out

  /// Launches that take about `seconds` together; at least one.
  int launches_for(double seconds_of_all) const;
};

/// Finds the batch for samples of about `seconds` each. The first launch may be slow, so it decides nothing.
Sampled sampled(Timer time, double seconds);

/// One sample of `launches` launches, in seconds of one launch.
double sample(Sampled& launch, int launches);
/// The same with its usual batch.
double sample(Sampled& launch);

/// Seconds that a sample takes at least. A kernel's launch may be longer: then one launch is a sample.
inline constexpr double sample_seconds = 3e-3;

}  // namespace roofline
