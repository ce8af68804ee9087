#pragma once
#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/run/ceiling_measurement.hpp"
#include "bench/run/measure.hpp"
#include "bench/run/modelled.hpp"
#include "bench/run/options.hpp"
#include "bench/run/plan.hpp"
#include "bench/run/results.hpp"
#include "bench/run/row_journal.hpp"
#include "bench/text/progress.hpp"

namespace roofline {

/// Counts one launch of a workload of this variant, once, outside the timing.
using CounterSource = std::function<Counts(const Variant&, const Workload&)>;
/// Operations by the counting space, bytes by a model of this machine's caches.
CounterSource software_counter(const Machine& machine, int threads);

/// One run of the suite under Google Benchmark: registers rows, measures them, keeps what was found by row name, and
/// puts it into the rows that the library reports.
class Session {
 public:
  Session(const Suite& suite, const Options& options, const Plan& plan, CounterSource counter);

  /// A modelled run: launches are asked of the model, none is made.
  Session(const Suite& suite, const Options& options, const Plan& plan, const Model& model);

  /// Leaves out rows that the journal knows and enters the others. After a row has failed, `after_failure` is called:
  /// the device may be lost.
  void keep_journal(const RowJournal& journal, std::function<void()> after_failure);
  /// Uses ceilings of an earlier run on this machine, which read_ceilings() took from its run.json, instead of
  /// measuring them. The pace of DRAM beside a kernel and the drift at the end are relative to them.
  void use_ceilings(std::vector<Ceiling> ceilings, std::string path);
  /// Measures the plan's ceilings, then fixes the roofline.
  void run_ceilings(benchmark::BenchmarkReporter& to);
  /// ERT's sweep over working sets, beside the ceilings.
  void run_ert_sweeps();
  void run_kernels(benchmark::BenchmarkReporter& to);
  /// Measures the two decisive ceilings again and compares: more than 3 % is a warning, more than 5 % unstable.
  void check_drift();

  /// Adds the counters of run.json to a row of Google Benchmark.
  void annotate(benchmark::BenchmarkReporter::Run& run) const;

  Results& results() { return results_; }
  const Results& results() const { return results_; }
  void end_progress() { progress_.clear(); }

 private:
  struct KernelRun {
    KernelPoint point;
    Measurement measurement;
    std::optional<GpuCounts> warps;
  };

  void run_ceiling(benchmark::State& state, const CeilingVariant& variant);
  /// Times a kernel without verifying it. Its samples are joined with those that run_kernel() takes when all others
  /// have had their turn: an interval of samples in a row does not know how the machine drifts.
  void take_first_look(const Variant& variant);
  KernelRun time_kernel(const Variant& variant, const Workload& work);
  void run_kernel(benchmark::State& state, const Variant& variant);
  void model_kernel(benchmark::State& state, const Variant& variant);
  /// Bandwidth of the DRAM mix that the counts resemble, relative to its ceiling, now; absent where it cannot be had.
  std::optional<double> dram_pace(const Counts& counts);
  /// They were measured on it, in this run or an earlier one.
  bool ceilings_of_this_machine() const;
  void warn_once(std::string line);
  void note_times(const std::string& row, const Measurement& m);
  Counts count_once(const Variant& variant, const Workload& work);
  /// Takes a row's result from the journal; false when it has none.
  bool recall_ceiling(benchmark::State& state, const std::string& row);
  bool recall_kernel(benchmark::State& state, const std::string& row);
  bool recall_failure(benchmark::State& state, const std::string& row);
  void fail(benchmark::State& state, const std::string& name, const std::string& why);
  void pool_repetitions();

  const Suite& suite_;
  const Options& options_;
  const Plan& plan_;
  CounterSource counter_;
  LaunchModel model_;  ///< of a modelled run
  RowJournal journal_;
  std::function<void()> after_failure_;
  Budget kernel_budget_, ceiling_budget_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  int passes_;  ///< over the kernels
  DramProbe dram_probe_;
  bool imported_ = false;  ///< ceilings of an earlier run
  Progress progress_;
  Results results_;
  std::map<std::string, std::vector<KernelRun>> kernels_;  ///< one entry per repetition
  std::map<std::string, std::vector<Ceiling>> ceilings_;
  std::map<std::string, KernelPoint> first_look_;
  std::map<std::string, Counts> counts_;
};

}  // namespace roofline
