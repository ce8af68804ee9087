#include "bench/levels/ladder.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace roofline {

std::vector<Rung> climb(const ReadProbe& probe, const LadderPlan& plan) {
  constexpr double vectors = 512;            // bytes: whole iterations of any read loop
  constexpr double times_for_the_first = 3;  // of the first round, next to other programs
  std::vector<Rung> rungs;
  for (int i = 0;; ++i) {
    const double bytes = least_rung * std::exp2(static_cast<double>(i) / rungs_per_octave);
    if (bytes > 1.001 * plan.most) break;
    rungs.push_back({std::floor(bytes / vectors) * vectors, 0});
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto beyond = [&](double limit) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > limit;
  };
  for (int round = 0; round < plan.rounds; ++round)
    for (auto& rung : rungs) {
      if (round > 0 && beyond(plan.time_limit)) return rungs;
      if (beyond(times_for_the_first * plan.time_limit))
        throw std::runtime_error("other programs leave no time for a ladder of working sets");
      rung.rate = std::max(rung.rate, probe(rung.bytes, plan.sample));
    }
  return rungs;
}

double largest_rung(double memory, int threads) {
  constexpr double most = 256 << 20;
  return memory > 0 ? std::min(most, memory / 4 / std::max(1, threads)) : most;
}

}  // namespace roofline
