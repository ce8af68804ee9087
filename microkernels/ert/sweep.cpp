#include "microkernels/ert/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/machine/clock.hpp"
#include "microkernels/working_set.hpp"

namespace roofline {
namespace {

constexpr Index smallest = 128;  // elements per thread, as on the V100 of the NERSC talk
constexpr std::size_t experiments = 3;

}  // namespace

std::vector<Index> ert_working_sets(Index first, Index last, double factor) {
  std::vector<Index> sizes;
  for (Index n = first; n <= last; n = std::max(n + 1, static_cast<Index>(factor * static_cast<double>(n))))
    sizes.push_back(n);
  return sizes;
}

ErtSweep run_ert_sweep(const ErtArrays& arrays, double budget_seconds) {
  ErtSweep sweep;
  sweep.flops_per_element = arrays.flops_per_element;
  sweep.threads = arrays.threads, sweep.launch = arrays.launch;
  const auto start = Clock::now();
  const auto sizes = ert_working_sets(arrays.first, arrays.last);
  const double share = budget_seconds / static_cast<double>(sizes.size());
  // The last doubling may overshoot by two, all runs before it cost as much again, and it is repeated.
  const double long_enough = share / (2 * (experiments + 1));

  for (const Index n : sizes) {
    if (!sweep.rows.empty() && seconds_since(start) > budget_seconds) {
      sweep.complete = false;
      break;
    }
    const Index most_trials = std::max<Index>(arrays.last / n, 1);
    Index trials = 1;
    std::vector<double> seconds{arrays.time(n, trials)};
    while (2 * trials <= most_trials && seconds[0] < long_enough) trials *= 2, seconds[0] = arrays.time(n, trials);
    while (seconds.size() < experiments && seconds[0] < 2 * long_enough) seconds.push_back(arrays.time(n, trials));
    std::sort(seconds.begin(), seconds.end());

    const double elements = static_cast<double>(n) * arrays.threads, work = elements * static_cast<double>(trials);
    sweep.rows.push_back({.working_set = elements * sizeof(double),
                          .trials = trials,
                          .seconds = seconds[seconds.size() / 2],
                          .bytes = work * static_cast<double>(ert_bytes(sizeof(double))),
                          .flops = work * arrays.flops_per_element});
  }
  sweep.failure = arrays.first_wrong_element();
  return sweep;
}

ErtSweep run_ert_sweep(int flops_per_element, double budget_seconds, int threads, MemoryBlock& block) {
  const auto run = ert_function<double>({.flops = flops_per_element});
  const Index part = block.size() / threads;  // every thread's own
  double* const data = block.data();
  const auto on_all = [=](const auto& body) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int thread = 0; thread < threads; ++thread) body(data + thread * part);
  };
  on_all([&](double* a) { std::fill(a, a + part, ErtConstants{}.initial); });
  ErtArrays arrays;
  arrays.flops_per_element = flops_per_element, arrays.threads = threads;
  arrays.first = smallest, arrays.last = part;
  arrays.time = [&](Index n, Index trials) {
    const auto start = Clock::now();
    on_all([&](double* a) { run(a, n, trials, flops_per_element, {}); });
    return seconds_since(start);
  };
  arrays.first_wrong_element = [&]() -> std::string {
    for (Index i = 0; i < part * threads; ++i)
      if (data[i] != ErtConstants{}.initial)
        return fmt::format("element {}: got {}, expected exactly {}", i, data[i], ErtConstants{}.initial);
    return {};
  };
  return run_ert_sweep(arrays, budget_seconds);
}

ErtResult summarize(std::vector<ErtSweep> sweeps, const std::vector<CacheLevel>& caches) {
  ErtResult result;
  for (const auto& sweep : sweeps) {
    if (sweep.rows.empty() || !sweep.failure.empty()) continue;
    result.flop_rate = std::max(result.flop_rate, sweep.best_flop_rate());
    const auto curve = sweep.curve();
    if (const double weight = curve_weight(curve); weight > result.weight) {
      result.weight = weight;
      result.bandwidth_flops_per_element = sweep.flops_per_element;
      result.levels = name_plateaus(curve, find_plateaus(curve), caches, sweep.threads);
    }
  }
  result.sweeps = std::move(sweeps);
  return result;
}

ErtResult run_ert(const Machine& machine, int threads, double budget_seconds) {
  const double bytes = ceiling_working_set(machine, MemoryLevel::DRAM, threads);
  constexpr double compute_bytes = 1 << 26;  // the FLOP rate needs no memory
  MemoryBlock memory(static_cast<Index>(bytes / sizeof(double)) / threads * threads);
  MemoryBlock small(static_cast<Index>(std::min(bytes, compute_bytes) / sizeof(double)) / threads * threads);
  std::vector<ErtSweep> sweeps;
  for (const int flops : {1, 16}) sweeps.push_back(run_ert_sweep(flops, budget_seconds / 3, threads, memory));
  sweeps.push_back(run_ert_sweep(512, budget_seconds / 3, threads, small));
  return summarize(std::move(sweeps), machine.caches);
}

}  // namespace roofline
