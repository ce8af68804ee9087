#pragma once
#include <time.h>

#include <chrono>

namespace roofline {

/// The clock of wall time that nothing sets back.
using Clock = std::chrono::steady_clock;

/// Wall time since then, in seconds.
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What a clock of clock_gettime(2) shows, in seconds.
inline double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace roofline
