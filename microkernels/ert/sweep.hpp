#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/model/ert_sweep.hpp"
#include "microkernels/ert/ert.hpp"
#include "microkernels/ert/plateau.hpp"
#include "microkernels/memory_block.hpp"

namespace roofline {

struct Machine;

/// Numbers of elements: n, then floor(factor n), or n + 1 where that changes nothing, up to `last` (ERT's step rule).
std::vector<Index> ert_working_sets(Index first, Index last, double factor = 1.1);

/// The data of a sweep: arrays of doubles, one for each CPU thread or one on a GPU, that hold ERT's initial value.
struct ErtArrays {
  int flops_per_element = 0;
  int threads = 1;
  std::string launch;
  Index first = 128, last = 128;                      ///< elements of the smallest set, and of a whole array
  std::function<double(Index n, Index trials)> time;  ///< of n elements of every array, in seconds
  std::function<std::string()> first_wrong_element;   ///< empty when all elements are exactly -1
};

/// Sweeps from the first to the last set within about `budget_seconds`; the first is measured in any case.
///
/// ERT doubles the trials up to last / working set. Here they double until a run takes its share of the budget, which
/// is what ERT's rule is for: to make start-up costs small. The median of up to three such runs is kept.
ErtSweep run_ert_sweep(const ErtArrays& arrays, double budget_seconds);

/// On `threads` cores: from 128 elements per thread to the whole block, with the fused kernel.
ErtSweep run_ert_sweep(int flops_per_element, double budget_seconds, int threads, MemoryBlock& block);

/// ERT's summary of its sweeps.
ErtResult summarize(std::vector<ErtSweep> sweeps, const std::vector<CacheLevel>& caches);

/// The sweeps of a default run: few FLOPs per element for the bandwidths, many for the FLOP rate.
ErtResult run_ert(const Machine& machine, int threads, double budget_seconds = 12);

}  // namespace roofline
