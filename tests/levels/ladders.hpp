#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/levels/ladder.hpp"
#include "bench/machine/topology.hpp"

namespace roofline::ladders {

constexpr double KiB = 1 << 10, MiB = 1 << 20;

/// A level of a made machine: it serves sets of up to `end` bytes per thread at `rate` GB/s of all threads.
struct Serves {
  double end, rate;
};

/// The disturbances that a ladder meets on the way.
struct Course {
  std::vector<Serves> caches;
  double memory = 0;                ///< GB/s
  double slope = 0.4;               ///< of an octave: how far around an edge the rate goes from one level to the next
  double noise = 0.05;              ///< largest relative deviation of a rung
  double drift = 0;                 ///< of the clock from the first rung to the last, relative
  std::vector<int> disturbed = {};  ///< rungs that are 3 x slower
  double most = 256 * MiB;
  double late_start = 0;  ///< relative loss at the smallest set: loops of few iterations
};

/// The rungs that a probe would give there; deviations are those of a fixed sequence.
inline std::vector<Rung> climbed(const Course& course) {
  unsigned state = 12345;
  int number = 0;
  const auto probe = [&](double bytes, double) {
    double rate = course.memory;
    for (std::size_t i = course.caches.size(); i-- > 0;) {
      // Through the edge as a logistic curve in log2(bytes).
      const double within = 1 / (1 + std::exp(8 * std::log2(bytes / course.caches[i].end) / (course.slope + 0.1)));
      rate = std::exp2(within * std::log2(course.caches[i].rate) + (1 - within) * std::log2(rate));
    }
    state = state * 1664525u + 1013904223u;
    rate *= 1 - course.noise * static_cast<double>(state >> 8) / (1 << 24);
    rate *= 1 - course.late_start * least_rung / bytes;
    rate *= 1 - course.drift * number / 64.0;
    if (std::find(course.disturbed.begin(), course.disturbed.end(), number) != course.disturbed.end()) rate /= 3;
    ++number;
    return 1e9 * rate;
  };
  return climb(probe, {.most = course.most, .rounds = 1, .time_limit = 1e9});
}

/// Rungs of four sizes a factor of two from 4 KiB, by their rates in GB/s.
inline std::vector<Rung> rungs(const std::vector<double>& rates) {
  std::vector<Rung> ladder;
  for (int i = 0; const double rate : rates)
    ladder.push_back({std::floor(least_rung * std::exp2(i++ / 4.0) / 512) * 512, 1e9 * rate});
  return ladder;
}

/// A two-core virtual machine (Zen 5, November 2026) next to fourteen other programs. It declares an L3 of 508 MiB.
inline std::vector<Rung> measured_zen5() {
  return rungs({877, 876, 859, 891, 860, 832, 893, 805, 835, 863, 863, 838, 882, 866, 778, 322, 309,
                309, 310, 308, 310, 318, 318, 324, 322, 323, 306, 326, 403, 402, 272, 227, 202, 188,
                197, 186, 190, 172, 191, 150, 192, 144, 181, 143, 189, 167, 168, 123, 114, 75,  87,
                53,  57,  54,  49,  57,  58,  55,  53,  56,  58,  42,  55,  61,  49});
}

/// A two-core virtual machine (Zen 4, November 2026), both threads: L2 and L3 are 1.18 x apart, L3 ends in a slope.
inline std::vector<Rung> measured_zen4() {
  return rungs({459, 445, 444, 442, 446, 440, 443, 441, 444, 445, 443, 442, 429, 241, 246, 243, 236,
                237, 236, 236, 236, 236, 236, 236, 236, 236, 236, 236, 236, 235, 228, 218, 205, 198,
                197, 199, 200, 200, 200, 200, 200, 200, 200, 200, 200, 189, 181, 174, 163, 146, 121,
                110, 98,  94,  85,  74,  75,  67,  63,  63,  62,  63,  63,  63,  64});
}

/// The same next to other programs.
inline std::vector<Rung> measured_zen4_busy() {
  return rungs({433, 431, 430, 442, 442, 439, 441, 430, 444, 444, 416, 442, 417, 247, 244, 240, 236,
                236, 236, 236, 236, 236, 236, 236, 236, 236, 236, 236, 234, 228, 223, 211, 204, 197,
                196, 196, 199, 199, 200, 192, 199, 191, 199, 198, 177, 185, 149, 131, 110, 135, 118,
                86,  79,  69,  55,  65,  65,  65,  63,  64,  63,  65,  65,  65,  64});
}

/// One thread of the same machine.
inline std::vector<Rung> measured_zen4_alone() {
  return rungs({222, 222, 223, 222, 222, 222, 222, 222, 223, 223, 222, 222, 212, 128, 123, 121, 118,
                118, 118, 118, 118, 118, 118, 118, 118, 118, 118, 118, 118, 117, 117, 113, 101, 98,
                99,  99,  100, 100, 100, 100, 100, 100, 100, 100, 100, 94,  91,  87,  81,  73,  66,
                58,  50,  49,  50,  47,  35,  34,  33,  34,  33,  34,  34,  32,  33});
}

}  // namespace roofline::ladders
