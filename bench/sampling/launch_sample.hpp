#pragma once
#include "bench/machine/clock.hpp"

namespace roofline {

/// Where the data of a launch lie, from which others may have driven them out.
enum class DataSource {
  memory,
  own_cache,     ///< of a core: one launch brings them back
  shared_cache,  ///< takes new data in only after some launches
};

/// A launch, as it is sampled: so many launches are timed together that one sample is long compared with the timer.
struct Sampled {
  Timer time;
  int batch = 1;
  double seconds = 0;                         ///< of one launch, as it was last seen
  DataSource source = DataSource::own_cache;  ///< launches that are not timed come first and bring its data back
  Clock::time_point last = {};                ///< end of its last sample

  /// Launches that take about `seconds` together; at least one.
  int launches_for(double seconds_of_all) const;
};

/// Finds the batch for samples of about `seconds` each. The first launch may be slow, so it decides nothing.
Sampled sampled(Timer time, double seconds);

/// One sample of `launches` launches, in seconds of one launch.
double sample(Sampled& launch, int launches);
/// The same with its usual batch.
double sample(Sampled& launch);

/// Seconds that a sample takes at least. A launch that is longer and cannot be divided is one sample.
inline constexpr double sample_seconds = 3e-3;

}  // namespace roofline
