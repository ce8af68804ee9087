#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "bench/machine/watch.hpp"
#include "bench/run/ceiling_phase.hpp"
#include "bench/run/kernel_phase.hpp"
#include "bench/run/modelled.hpp"

namespace roofline {

/// One run of the suite under Google Benchmark, phase by phase; what was found goes into the rows that the library
/// reports.
class Session {
 public:
  /// `counter` counts launches; null in a run of ceilings alone.
  Session(const Suite& suite, const Options& options, const Plan& plan, std::shared_ptr<CounterSource> counter);

  /// Makes it a modelled run: launches are counted by the model and none is made.
  void stand_for(const Model& model);
  /// Leaves out rows that the journal knows and enters the others. After a row has failed, `after_failure` is called:
  /// the device may be lost.
  void keep_journal(const RowJournal& journal, std::function<void()> after_failure);
  /// Uses ceilings of an earlier run on this device, which read_ceilings() took from its run.json, instead of
  /// measuring them. The pace of DRAM beside a kernel and the drift at the end are relative to them.
  void use_ceilings(std::vector<Ceiling> ceilings, std::string path) { ceilings_.import(std::move(ceilings), path); }
  /// Gives tuned rows the form that an earlier run chose, instead of trying them.
  void use_forms(std::map<std::string, std::string> forms) { run_.known_forms = std::move(forms); }
  void run_ceilings(benchmark::BenchmarkReporter& to) { ceilings_.measure(to); }
  void run_ert_sweeps() { ceilings_.sweep(); }
  void run_kernels(benchmark::BenchmarkReporter& to);
  /// Measures ceilings again; a better value replaces the one that a disturbance lowered.
  void check_drift();
  std::string estimate() const { return run_.estimate(); }

  /// Adds the counters of run.json to a row of Google Benchmark.
  void annotate(benchmark::BenchmarkReporter::Run& run) const;

  Results& results() { return run_.results; }
  const Results& results() const { return run_.results; }
  void end_progress() { run_.progress.clear(); }

 private:
  RunState run_;
  CeilingPhase ceilings_;
  KernelPhase kernels_;
  WatchedTime watched_before_ = watched_so_far();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace roofline
