#include "bench/machine/clock.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "bench/machine/cgroup.hpp"

namespace roofline {
namespace {

constexpr int unroll = 64;
constexpr int rounds = 4000;  // 0.77 M cycles, about 0.2 ms, a run
constexpr int runs = 24;      // the best one was not interrupted

#if defined(__x86_64__) || defined(__i386__)
/// From each to the next of a dependent chain: a 32-bit integer multiplication takes 3 cycles on every Intel core since
/// Nehalem, on every AMD Zen (Agner Fog, Instruction tables; uops.info).
constexpr double cycles_of_step = 3;
std::uint32_t next_in_chain(std::uint32_t x, std::uint32_t factor) {
  asm volatile("imul %1, %0" : "+r"(x) : "r"(factor) : "cc");
  return x;
}
#else
/// Elsewhere latencies differ: an addition of two registers takes one cycle on every out-of-order core.
constexpr double cycles_of_step = 1;
std::uint32_t next_in_chain(std::uint32_t x, std::uint32_t summand) {
  x += summand;
  asm volatile("" : "+r"(x));
  return x;
}
#endif

double one_run() {
  std::uint32_t x = 3;
  const auto start = Clock::now();
  for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 64
    for (int i = 0; i < unroll; ++i) x = next_in_chain(x, 5);
  }
  asm volatile("" ::"r"(x));
  return cycles_of_step * unroll * rounds / seconds_since(start);
}

}  // namespace

double measure_clock_hz() {
  double best = 0;
  for (int run = 0; run < runs; ++run) best = std::max(best, one_run());
  return best;
}

double timer_step() {
  auto smallest = Clock::duration::max();
  for (int i = 0; i < 1000; ++i) {
    const auto start = Clock::now();
    auto end = Clock::now();
    while (end == start) end = Clock::now();
    smallest = std::min(smallest, end - start);
  }
  return std::chrono::duration<double>(smallest).count();
}

std::string utc_now() {
  const auto seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

Timer host_timer(std::function<void()> launch) {
  // A quota of less than one CPU stops the one thread in most periods. The stops do not belong to the time of a launch.
  static const double quota = own_cpu_quota();
  if (stops_one_thread(quota) && omp_get_max_threads() == 1)
    return [launch = std::move(launch)](int batch) {
      const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
      for (int i = 0; i < batch; ++i) launch();
      return seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
    };
  return [launch = std::move(launch)](int batch) {
    const auto start = Clock::now();
    for (int i = 0; i < batch; ++i) launch();
    return seconds_since(start);
  };
}

double known_time_error(const TimerOf& timer_of) {
  constexpr double wait = 10e-3;
  double inner = 0;  // of the raw clock, between the looks nearest to the timer's own
  const auto timer = timer_of([&] {
    const double start = seconds_of(CLOCK_MONOTONIC_RAW);
    while ((inner = seconds_of(CLOCK_MONOTONIC_RAW) - start) < wait) {
    }
  });
  // The time seen lies between the two others. A pause of the machine makes it look shorter at most: between two looks
  // at the clocks it lengthens the outer span alone, and a clock of processor time leaves it out. So any look may find
  // a time too long, and all have to find it too short.
  double too_long = 0, too_short = INFINITY;
  for (int i = 0; i < 5; ++i) {
    const double start = seconds_of(CLOCK_MONOTONIC_RAW);
    const double seen = timer(1);
    const double outer = seconds_of(CLOCK_MONOTONIC_RAW) - start;
    too_long = std::max(too_long, seen - outer);
    too_short = std::min(too_short, inner - seen);
  }
  return std::max(too_long, too_short) / wait;
}

double nonlinearity(const TimerOf& timer_of) {
  constexpr int sizes = 4, looks = 5;
  constexpr long unit = 2000000;  // dependent additions: about half a millisecond
  long work = 0;
  const auto timer = timer_of([&] {
    long sum = 0;
    for (long i = 0; i < work; ++i) {
      sum += i;
      asm volatile("" : "+r"(sum));
    }
  });
  std::array<double, sizes> per_unit;
  per_unit.fill(INFINITY);
  // In rounds: a pause of some milliseconds meets one sample of each size, not all samples of one.
  for (int look = 0; look < looks; ++look)
    for (int times = 1; times <= sizes; ++times) {
      work = unit * times;
      auto& least = per_unit[static_cast<std::size_t>(times - 1)];
      least = std::min(least, timer(1) / times);
    }
  const auto [low, high] = std::minmax_element(per_unit.begin(), per_unit.end());
  return *high / *low - 1;
}

}  // namespace roofline
