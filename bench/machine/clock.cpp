#include "bench/machine/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace roofline {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int unroll = 64;
constexpr int rounds = 4000;  // 0.77 M cycles, about 0.2 ms, a run
constexpr int runs = 24;      // the best one was not interrupted

/// A dependent chain of one instruction: `cycles` from each to the next.
struct Multiply {
#if defined(__x86_64__) || defined(__i386__)
  /// A 32-bit integer multiplication takes 3 cycles on every Intel core since Nehalem, on every AMD Zen (Agner Fog,
  /// Instruction tables; uops.info).
  static constexpr double cycles = 3;
  static std::uint32_t step(std::uint32_t x, std::uint32_t factor) {
    asm volatile("imul %1, %0" : "+r"(x) : "r"(factor) : "cc");
    return x;
  }
#else
  /// Elsewhere latencies differ: an addition stands for it.
  static constexpr double cycles = 1;
  static std::uint32_t step(std::uint32_t x, std::uint32_t factor) {
    x += factor;
    asm volatile("" : "+r"(x));
    return x;
  }
#endif
};

/// An integer addition of two registers takes one cycle on every out-of-order core.
struct Add {
  static constexpr double cycles = 1;
  static std::uint32_t step(std::uint32_t x, std::uint32_t summand) {
#if defined(__x86_64__) || defined(__i386__)
    asm volatile("addl %1, %0" : "+r"(x) : "r"(summand) : "cc");
#else
    x += summand;
    asm volatile("" : "+r"(x));
#endif
    return x;
  }
};

template <class Chain>
double one_run() {
  std::uint32_t x = 3;
  const auto start = Clock::now();
  for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 64
    for (int i = 0; i < unroll; ++i) x = Chain::step(x, 5);
  }
  asm volatile("" ::"r"(x));
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  return Chain::cycles * unroll * rounds / elapsed.count();
}

}  // namespace

ClockReading read_clock() {
  ClockReading best;
  for (int run = 0; run < runs; ++run) {
    best.by_multiplying = std::max(best.by_multiplying, one_run<Multiply>());
    best.by_adding = std::max(best.by_adding, one_run<Add>());
  }
  return best;
}

double measure_clock_hz() {
  double best = 0;
  for (int run = 0; run < runs; ++run) best = std::max(best, one_run<Multiply>());
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

}  // namespace roofline
