#include "bench/run/measure.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/machine/interrupt.hpp"
#include "bench/machine/watch.hpp"

namespace roofline {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace

Measurement measure(const Timer& time, const Budget& budget) {
  Measurement m;
  const double one = time(1);
  if (one < budget.min_interval) {
    // A first launch can be slow; decide on the batch with a second look.
    const double again = std::max(1e-9, time(1));
    m.batch = static_cast<int>(std::clamp(std::ceil(budget.min_interval / again), 1.0, 1e7));
  }
  const auto start = Clock::now();
  const double cpu_start = thread_cpu_seconds();
  int flagged = 0;
  const auto samples = [&] { return static_cast<int>(m.seconds.size()); };
  for (;;) {
    const Watch watch;
    m.seconds.push_back(time(m.batch) / m.batch);
    flagged += budget.watch && watch.contaminated();
    if (samples() < budget.min_samples) continue;
    const double elapsed = seconds_since(start);
    m.converged = m.interval().relative_half_width() <= budget.target_half_width;
    const bool rough = m.interval().relative_half_width() > 0.03;
    if (interrupted() || elapsed >= budget.max_seconds * (rough ? budget.patience : 1)) break;
    if (m.converged && elapsed >= budget.min_seconds) break;
  }
  m.cpu_seconds = (thread_cpu_seconds() - cpu_start) / samples() / m.batch;
  m.contaminated = static_cast<double>(flagged) / samples();
  return m;
}

Measurement measure_sustained(const Timer& time, double seconds) {
  constexpr double sample_seconds = 0.02;  // long against the pause between two samples
  auto m = measure(time, {.min_samples = 20,
                          .min_seconds = seconds,
                          .max_seconds = seconds,
                          .watch = false,
                          .min_interval = sample_seconds});
  m.seconds.erase(m.seconds.begin(), m.seconds.begin() + static_cast<std::ptrdiff_t>(m.seconds.size() / 2));
  return m;
}

}  // namespace roofline
