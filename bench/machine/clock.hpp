#pragma once
#include <time.h>

#include <chrono>
#include <string>

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

/// Core clock in Hz now, measured with a dependent chain of integer multiplies of known latency: about 5 ms a call, the
/// best of several. The TSC is not the core clock.
double measure_clock_hz();

/// The same clock by two chains, of integer multiplications and of additions, taken alternately: where they differ, a
/// latency is not what this suite takes it for, and neither is the clock.
struct ClockReading {
  double by_multiplying = 0, by_adding = 0;  ///< Hz
  /// Within 3 %.
  bool agrees() const { return by_multiplying < 1.03 * by_adding && by_adding < 1.03 * by_multiplying; }
};
ClockReading read_clock();

/// Smallest step of the steady clock, in seconds.
double timer_step();

/// The time in ISO 8601: 2026-01-31T23:59:59Z.
std::string utc_now();

}  // namespace roofline
