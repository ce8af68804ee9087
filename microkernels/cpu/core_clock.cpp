#include "microkernels/cpu/core_clock.hpp"

#include <chrono>
#include <vector>

#include "bench/machine/core_units.hpp"
#include "bench/model/statistics.hpp"

namespace roofline {

ClockedLoad clocked_load(const Ceiling& ceiling) {
  if (ceiling.isa == "avx512") return clocked_512(ceiling.ilp);
  return ceiling.isa == "avx2" ? clocked_256(ceiling.ilp) : clocked_baseline();
}

double clock_under(ClockedLoad load, int threads, int runs) {
  constexpr long links = link_unroll * 10000L;
  const int settling = runs / 3;  // the clock follows a new load within the first ms
  double sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
  for (int thread = 0; thread < threads; ++thread) {
    std::vector<double> clocks;
    for (int run = 0; run < settling + runs; ++run) {
      const auto start = std::chrono::steady_clock::now();
      load(links);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      if (run >= settling) clocks.push_back(cycles_per_link * links / elapsed.count());
    }
    sum += median(clocks);
  }
  return sum / threads;
}

}  // namespace roofline
