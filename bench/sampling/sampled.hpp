#pragma once
#include "bench/machine/timer.hpp"

namespace roofline {

/// A launch, as it is sampled: so many launches are timed together that one sample is long against the timer.
struct Sampled {
  Timer time;
  int batch = 1;
  double seconds = 0;  ///< of one launch, as it was last seen
};

/// Finds the batch for samples of about `seconds` each. The first launch may be slow: it decides nothing.
Sampled sampled(Timer time, double seconds);

/// One sample, in seconds of one launch. A launch that is not timed comes first: it brings back into the caches what
/// others have driven out. One of 20 ms and more moves so much that this does not matter.
double sample(Sampled& launch);

/// Whether a rounded launch could be of no time: shorter than this many steps of the timer a sample says little.
inline constexpr double sample_seconds = 5e-3;

}  // namespace roofline
