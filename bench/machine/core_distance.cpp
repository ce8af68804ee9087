#include "bench/machine/core_distance.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "bench/machine/clock.hpp"

namespace roofline {
namespace {

constexpr int tries = 8, passes = 64;
constexpr double longest = 10e-3;           // of all tries: a partner that lost its core comes back after a time slice
constexpr int loads_between_clocks = 4096;  // while waiting
constexpr double distances_alike = 2.5;     // 28 and 170 ns are not; noise of either is

/// A cache line that two threads pass to each other: even numbers belong to the first.
struct alignas(128) Line {
  std::atomic<int> number{0};
  double seconds = 0;  ///< of a pass, the least so far; 0: no try succeeded
};

/// Waits until the line has a number. False when all tries together take too long.
bool wait_for(const Line& line, int number, Clock::time_point start) {
  for (int loads = 1; line.number.load(std::memory_order_acquire) != number; ++loads)
    if (loads % loads_between_clocks == 0 && seconds_since(start) > longest) return false;
  return true;
}

void play(Line& line, int side) {
  const auto first = Clock::now();
  for (int one = 0; one < tries; ++one) {
    const auto start = Clock::now();
    for (int pass = 0; pass < passes; ++pass) {
      const int mine = 2 * (one * passes + pass) + side;
      if (!wait_for(line, mine, first)) return;
      line.number.store(mine + 1, std::memory_order_release);
    }
    const double seconds = seconds_since(start) / (2 * passes);
    if (side == 0 && (line.seconds == 0 || seconds < line.seconds)) line.seconds = seconds;
  }
}

}  // namespace

double core_distance(int threads) {
  std::vector<Line> lines(static_cast<std::size_t>(threads / 2));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < 2 * static_cast<int>(lines.size()); ++thread)
    play(lines[static_cast<std::size_t>(thread / 2)], thread % 2);
  double sum = 0;
  int known = 0;
  for (const auto& line : lines)
    if (line.seconds > 0) {
      sum += line.seconds;
      ++known;
    }
  return known == 0 ? 0 : sum / known;
}

bool lay_alike(double distance, double other) {
  if (distance <= 0 || other <= 0) return true;
  return std::max(distance, other) < distances_alike * std::min(distance, other);
}

}  // namespace roofline
