#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "bench/run/options.hpp"
#include "bench/run/placement.hpp"
#include "bench/run/plan.hpp"
#include "bench/run/results.hpp"
#include "bench/run/row_journal.hpp"
#include "bench/run/time_keeper.hpp"
#include "bench/run/turns.hpp"
#include "bench/text/progress.hpp"

namespace roofline {

/// What the phases of one run share: what was asked for, and what has been found so far.
struct RunState {
  RunState(const Suite& s, const Options& o, const Plan& p);

  const Suite& suite;
  const Options& options;
  const Plan& plan;
  std::shared_ptr<SampleTurns> turns;  ///< with other processes; null: this one has the machine to itself
  int passes;                          ///< over the kernels
  TimeKeeper time;                     ///< --quick and the default suite end in time also on a slow or busy machine
  Placement placement;                 ///< of the cores beside samples of what depends on it
  Progress progress;
  Results results;
  RowJournal journal;
  std::map<std::string, std::string> known_forms = {};  ///< of tuned rows, chosen by the run that the ceilings are of
  std::function<void()> after_failure = {};             ///< called when a row has failed: the device may be lost

  /// One line: what will be measured and about how long that takes.
  std::string estimate() const;
  /// Registers a row with Google Benchmark: one iteration, timed by us.
  void add_row(const std::string& name, const std::function<void(benchmark::State&)>& body) const;
  /// Notes that a row has no result, and why.
  void fail(benchmark::State& state, const std::string& row, const std::string& why);
  /// The same of a row that failed in a process before this one; false when it did not.
  bool recall_failure(benchmark::State& state, const std::string& row);
  void warn_once(std::string line);
};

/// Google Benchmark runs a body until its loop ends: one iteration, whose time is the median of the samples.
void report_time(benchmark::State& state, double seconds);

/// Runs the registered rows and forgets them.
void run_rows(benchmark::BenchmarkReporter& to);

/// Which of `n` repetitions a row of Google Benchmark is about.
std::size_t repetition_of(const benchmark::BenchmarkReporter::Run& run, std::size_t n);

}  // namespace roofline
