#pragma once
#include <functional>
#include <string>
#include <vector>

#include "microkernels/ert.hpp"
#include "microkernels/memory_block.hpp"
#include "microkernels/plateau.hpp"

namespace roofline {

struct Machine;

/// One working set of a sweep, measured with the largest number of trials that was run.
struct ErtRow {
  double working_set = 0;  ///< bytes over all threads
  Index trials = 0;
  double seconds = 0;  ///< of all trials: the median of the experiments
  double bytes = 0, flops = 0;

  double bandwidth() const { return bytes / seconds; }
  double flop_rate() const { return flops / seconds; }
};

/// ERT's sweep over working sets for one number of FLOPs per element.
struct ErtSweep {
  int flops_per_element = 0;
  int threads = 1;     ///< of a CPU
  std::string launch;  ///< of a GPU: "264 x 1024", blocks x threads of a block
  std::vector<ErtRow> rows;
  bool complete = true;  ///< false: the time was up before the largest working set
  std::string failure;   ///< the first element that is not exactly -1; empty when all are

  BandwidthCurve curve() const;
  double best_flop_rate() const;
};

/// Numbers of elements: n, then floor(factor n), or n + 1 where that changes nothing, up to `last` (ERT's step rule).
std::vector<Index> ert_working_sets(Index first, Index last, double factor = 1.1);

/// What a sweep measures: arrays of doubles, one of each CPU thread or one on a GPU, that hold ERT's initial value.
struct ErtArrays {
  int flops_per_element = 0;
  int threads = 1;
  std::string launch;
  Index first = 128, last = 128;                      ///< elements of the smallest set, and of a whole array
  std::function<double(Index n, Index trials)> time;  ///< of n elements of every array, in seconds
  std::function<std::string()> first_wrong_element;   ///< empty when all elements are exactly -1
};

/// Sweeps from the first to the last set within about `budget_seconds`.
///
/// ERT doubles the trials up to last / working set. Here they double until a run takes its share of the budget, which
/// is what ERT's rule is for: to make start-up costs small. The median of up to three such runs is kept.
ErtSweep run_ert_sweep(const ErtArrays& arrays, double budget_seconds);

/// On `threads` cores: from 128 elements per thread to the whole block, with the fused kernel.
ErtSweep run_ert_sweep(int flops_per_element, double budget_seconds, int threads, MemoryBlock& block);

/// What ERT makes of its sweeps: the best FLOP rate of all, and the plateaus of the sweep with the largest weight,
/// named from the cache geometry.
struct ErtResult {
  std::vector<ErtSweep> sweeps;
  double flop_rate = 0;
  int bandwidth_flops_per_element = 0;  ///< the sweep that the plateaus are from
  std::vector<LevelPlateau> levels;
  double weight = 0;
};
ErtResult summarize(std::vector<ErtSweep> sweeps, const std::vector<CacheLevel>& caches);

/// Of the sweeps of each number of FLOPs per element the one with the largest weight, in their order.
std::vector<const ErtSweep*> heaviest(const std::vector<ErtSweep>& sweeps);

/// The sweeps of a default run: few FLOPs per element for the bandwidths, many for the FLOP rate.
ErtResult run_ert(const Machine& machine, int threads, double budget_seconds = 12);

}  // namespace roofline
