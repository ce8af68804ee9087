#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/counters/counter_source.hpp"
#include "bench/run/ceiling_measurement.hpp"
#include "bench/run/run_state.hpp"

namespace roofline {

/// The kernels of a run: each one set up, timed, counted, verified; of a modelled run only counted.
class KernelPhase {
 public:
  struct Timed {
    KernelPoint point;
    Measurement measurement;
  };

  KernelPhase(RunState& run, std::shared_ptr<CounterSource> counter);

  void measure(benchmark::BenchmarkReporter& to);
  /// The repetitions of a row; null when it has no result.
  const std::vector<Timed>* found(const std::string& row) const;

 private:
  /// Times a kernel without verifying it. Its samples are joined with those that run_kernel() takes when all others
  /// have had their turn: an interval of samples in a row does not know how the machine drifts.
  void take_first_look(const Variant& variant);
  void run_kernel(benchmark::State& state, const Variant& variant);
  void time_and_verify(benchmark::State& state, const Variant& variant);
  void model(benchmark::State& state, const Variant& variant);
  Timed time(const Variant& variant, const Workload& work);
  /// Bandwidth of the DRAM mix that the counts resemble, relative to its ceiling, now; absent where it cannot be had.
  std::optional<double> dram_pace(const Counts& counts);
  void note_times(const std::string& row, const Measurement& m);
  Counts count_once(const std::string& row, const Workload& work);
  bool recall(benchmark::State& state, const std::string& row);
  void pool_repetitions();

  RunState& run_;
  std::shared_ptr<CounterSource> counter_;
  Budget budget_;
  DramProbe dram_probe_;
  std::map<std::string, std::vector<Timed>> found_;  ///< one entry per repetition
  std::map<std::string, KernelPoint> first_look_;
  std::map<std::string, Counts> counts_;
};

}  // namespace roofline
