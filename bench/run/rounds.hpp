#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/counters/counter_source.hpp"
#include "bench/counting/kept_counts.hpp"
#include "bench/cuda/nvml.hpp"
#include "bench/run/ceiling_rounds.hpp"
#include "bench/run/run_state.hpp"
#include "bench/sampling/kernel_row.hpp"

namespace roofline {

/// The counts of a launch that nothing counts: FLOPs by the formula, of kinds unknown.
Counts counts_of_formula(std::uint64_t flops);

/// Samples the ceilings and rows of a run in rounds: in each round some ceilings, then every row next to the ceilings
/// that could bind it, in an order that the seed decides. After each round every row has a result, so the run can end
/// after any of them, with the same number of rounds for all.
class Rounds {
 public:
  /// `counter` counts launches; null in a run of ceilings alone.
  Rounds(RunState& run, std::shared_ptr<CounterSource> counter);

  /// Everything that is timed, and on a CPU counted.
  void measure();
  /// On a GPU rows are counted, when all is timed.
  void finish();

 private:
  void sample_rows(int round);
  std::vector<KernelRow*> shuffled_rows(int round);
  /// On a GPU, when all are timed: rows in random order as far as the time goes that counting leaves.
  void measure_power();
  double counting_and_reports() const;  ///< seconds
  /// Seconds that all of that takes behind the last round, power included.
  double seconds_after_rounds() const;
  /// Then: all rows.
  void count_rows();
  void sample_row(KernelRow& row, int round);
  /// Steps that are done once: the workload is set up, counted, and verified on the buffers that are timed.
  void count(KernelRow& row);
  /// Reads the counts that earlier runs kept.
  void take_kept_counts();
  /// Counts one of the rows anew: if it differs from what was kept, no kept count is used.
  void test_kept_counts(const std::vector<KernelRow*>& rows);
  void keep_own_counts();
  void verify(KernelRow& row);
  /// A launch with its data in the caches of a core, for rows that memory serves.
  void fill_caches(KernelRow& row);
  /// Its workload; where memory is short, after the others have given theirs back.
  const Workload& work_of(KernelRow& row);
  /// Runs a step of a row; an exception becomes the reason why it has no result.
  void guarded(KernelRow& row, const std::function<void()>& step);
  std::vector<std::string> probes_of(const KernelRow& row);
  /// Where a launch finds data of the launch before.
  DataSource source_of(const KernelRow& row) const;
  /// The reasons that hold the GPU's clock back just now, after a row; `clock` is its clock in Hz, 0 if not known.
  /// Empty for a row at full clock, because the driver also reports reasons from some time ago.
  void note_brakes(const std::string& row, double clock);
  /// A row of the table of the machine.
  void note_gpu(const std::string& what, const std::string& text);
  int most_rounds() const;
  /// core_distance() of the team; 0 on a GPU.
  double distance_of_cores() const;
  /// Says how much longer the run would take with enough rounds for intervals.
  void note_missing_rounds(int round, double seconds_of_round);

  RunState& run_;
  std::shared_ptr<CounterSource> counter_;
  KeptCounts kept_counts_;  ///< of a counter that repeats
  CeilingRounds ceilings_;
  std::vector<KernelRow> rows_;
  std::map<std::string, std::vector<std::string>> probes_;
  double sampling_seconds_ = 0;  ///< of the current round, without what is done once
  std::string bus_;              ///< of a GPU that NVML knows
  Brakes brakes_;
  bool counted_last_ = false;  ///< counting comes after all that is timed
};

}  // namespace roofline
