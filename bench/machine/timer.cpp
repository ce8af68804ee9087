#include "bench/machine/timer.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace roofline {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Timer host_timer(std::function<void()> launch) {
  return [launch = std::move(launch)](int batch) {
    const auto start = Clock::now();
    for (int i = 0; i < batch; ++i) launch();
    return seconds_since(start);
  };
}

double known_time_error() {
  constexpr double wait = 10e-3;
  const auto timer = host_timer([] {
    for (const double start = seconds_of(CLOCK_MONOTONIC_RAW); seconds_of(CLOCK_MONOTONIC_RAW) - start < wait;) {
    }
  });
  double least = INFINITY;
  for (int i = 0; i < 5; ++i) least = std::min(least, std::abs(timer(1) / wait - 1));
  return least;
}

}  // namespace roofline
