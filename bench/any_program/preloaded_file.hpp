// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace roofline::any_program {

/// What the preloaded sampler leaves of a process in the folder $ROOFLINE_SAMPLES: samples.PID, an array of these that
/// ends with zeros, and maps.PID, a copy of /proc/self/maps.
struct PreloadedSample {
  std::uint64_t at, thread;
};

/// What the preloaded markers leave in the file $ROOFLINE_REGIONS_FILE: the times of a region in a thread, in an array
/// that ends where no name is.
struct PreloadedRegion {
  char name[160];
  std::uint64_t thread, calls, nanoseconds;
  std::uint64_t begin;  ///< 0: it is not open
};
inline constexpr std::uint64_t most_regions = 4096;

/// Without that file they make this system call, which no kernel has and every emulator shows to its plugins: 1 where a
/// region begins or 0 where it ends, and its name.
inline constexpr long region_call = 0x726f6f66;

}  // namespace roofline::any_program
