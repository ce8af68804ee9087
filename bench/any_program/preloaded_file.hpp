// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace roofline::any_program {

/// A sample in the files that the preloaded sampler writes to the folder $ROOFLINE_SAMPLES: samples.PID is an array of
/// these that ends with zeros, and maps.PID is a copy of /proc/self/maps.
struct PreloadedSample {
  std::uint64_t at, thread;
};

/// The time of a region in a thread. The preloaded markers write an array of these to the file $ROOFLINE_REGIONS_FILE.
/// It ends at the first entry without a name.
struct PreloadedRegion {
  char name[160];
  std::uint64_t thread, calls, nanoseconds;
  std::uint64_t begin;    ///< 0: it is not open
  std::uint64_t is_line;  ///< of Python
};
/// Lines of Python that do little each time, together.
inline constexpr const char* python_region = "[python]";
/// A line that only works in the interpreter takes less than a microsecond, and being traced as long again.
inline bool is_cold(const PreloadedRegion& region) {
  constexpr std::uint64_t least = 20'000;
  return region.is_line && region.nanoseconds < least * region.calls;
}
inline constexpr std::uint64_t most_regions = 4096;

/// Without that file they make this system call, which no kernel has and which the counter sees: 1 where a region
/// begins or 0 where it ends, and its name.
inline constexpr long region_call = 0x726f6f66;

}  // namespace roofline::any_program
