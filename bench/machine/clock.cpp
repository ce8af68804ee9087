#include "bench/machine/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace roofline {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int unroll = 64;
constexpr int rounds = 4000;  // 0.77 M cycles, about 0.2 ms, a run
constexpr int runs = 24;      // the best one was not interrupted

#if defined(__x86_64__) || defined(__i386__)
/// A 32-bit integer multiplication takes 3 cycles on every Intel core since Nehalem, on every AMD Zen (Agner Fog,
/// Instruction tables; uops.info).
constexpr double cycles_per_step = 3;

inline std::uint32_t step(std::uint32_t x, std::uint32_t factor) {
  asm volatile("imul %1, %0" : "+r"(x) : "r"(factor) : "cc");
  return x;
}
#else
/// An integer addition takes one cycle on every out-of-order core; the empty asm keeps the compiler from folding it.
constexpr double cycles_per_step = 1;

inline std::uint32_t step(std::uint32_t x, std::uint32_t factor) {
  x += factor;
  asm volatile("" : "+r"(x));
  return x;
}
#endif

double one_run() {
  std::uint32_t x = 3;
  const auto start = Clock::now();
  for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 64
    for (int i = 0; i < unroll; ++i) x = step(x, 5);
  }
  asm volatile("" ::"r"(x));
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  return cycles_per_step * unroll * rounds / elapsed.count();
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

}  // namespace roofline
