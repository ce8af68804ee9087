#pragma once
#include <cstdint>

namespace roofline::any_program {

/// What the preloaded sampler leaves of a process in the folder $ROOFLINE_SAMPLES: samples.PID, an array of these that
/// ends with zeros, and maps.PID, a copy of /proc/self/maps.
struct PreloadedSample {
  std::uint64_t at, thread;
};

}  // namespace roofline::any_program
