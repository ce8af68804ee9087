#pragma once
#include <time.h>

#include <chrono>
#include <functional>
#include <string>

namespace roofline {

/// The clock of wall time that nothing sets back.
using Clock = std::chrono::steady_clock;

/// Wall time since then, in seconds.
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A clock of clock_gettime(2), in seconds.
inline double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Core clock in Hz now, measured with a dependent chain of integer multiplies of known latency: about 5 ms a call, the
/// best of several. The TSC is not the core clock.
double measure_clock_hz();

/// Smallest step of the steady clock, in seconds.
double timer_step();

/// The time in ISO 8601: 2026-01-31T23:59:59Z.
std::string utc_now();

/// Runs a launch `batch` times and returns the seconds that took.
using Timer = std::function<double(int batch)>;
/// By the steady clock of this machine.
Timer host_timer(std::function<void()> launch);

using TimerOf = std::function<Timer(std::function<void()>)>;

/// Relative error with which a timer measures a wait of 10 ms. The reference is the raw monotonic clock, which nothing
/// adjusts. Time between the readings of the two clocks, in which the machine may pause, does not count as an error.
/// The result is of five looks: the most by which the time is too long, or the least by which it is too short.
double known_time_error(const TimerOf& timer_of = host_timer);

/// How far the times of 1, 2, 3 and 4 times the same work, half a millisecond and more, are from their ratios: the
/// longest time per work over the shortest, less 1; each time is the least of five.
double nonlinearity(const TimerOf& timer_of = host_timer);

}  // namespace roofline
