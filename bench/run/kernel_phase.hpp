#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/counters/counter_source.hpp"
#include "bench/run/ceiling_measurement.hpp"
#include "bench/run/forms.hpp"
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
  /// Ceilings of DRAM have been replaced by better ones since `before`: what was measured relative to them is so much
  /// less.
  void rescale(const Roofline& before);
  /// The repetitions of a row; null when it has no result.
  const std::vector<Timed>* found(const std::string& row) const;

 private:
  /// The first turns of all rows, in an order that the seed decides; one more of those that met the cores elsewhere
  /// than most did, where they are back.
  void take_first_looks();
  /// The first of two turns. Its samples are joined with those that run_kernel() takes when all others have had their
  /// turn: an interval of samples in a row does not know how the machine drifts. Verified like the second: should the
  /// run be interrupted before that, it is the result.
  void take_first_look(const Variant& variant);
  /// Whether a row gets its second turn. Where time is short only as many do as there is time for, evenly over all
  /// rows: what they say of drift is to be of all families.
  bool second_turn_fits(const std::string& row);
  void run_kernel(benchmark::State& state, const Variant& variant);
  void time_and_verify(benchmark::State& state, const Variant& variant);
  void model(benchmark::State& state, const Variant& variant);
  /// Its workload, of a tuned row that of the chosen form.
  Workload set_up(const Variant& variant);
  Timed time(const Variant& variant, const Workload& work);
  /// What a launch of so many seconds depends on.
  Beside beside_of(const Counts& counts, double launch_seconds);
  /// Tells the bandwidth of the DRAM mix that the counts resemble, relative to its ceiling; empty where that cannot be
  /// had.
  std::function<double()> dram_pace(const Counts& counts);
  /// Hz of busy cores now; empty where nothing tells it.
  std::function<double()> core_clock() const;
  void note_times(const std::string& row, const Measurement& m);
  Counts count_once(const std::string& row, const Workload& work);
  /// Seconds of a launch whose data come from the core's own caches: once for each row that has others; 0: not known.
  double in_caches_once(const std::string& row, const Workload& work, const Counts& counts);
  /// Empty when the launches just timed left what the reference says, and did what the formula beside the kernel does.
  std::string complaint(const Variant& variant, const Workload& work, const KernelPoint& point);
  /// The first turn as the result of a row that gets no second one; `why` otherwise.
  void enter_first_turn(benchmark::State& state, const std::string& row, const std::string& why);
  /// A row that does not fit into this machine's memory: a failure where somebody chose its size or asked for it, left
  /// out elsewhere.
  void without_memory(benchmark::State& state, const Variant& variant, const std::string& why);
  /// Both turns of a row; where the cores lay differently in them, that of the better known place.
  Timed joined_with_first(const std::string& row, Timed second) const;
  /// Enters a result: of both turns where there were two.
  void enter(benchmark::State& state, const std::string& row, Timed timed);
  bool recall(benchmark::State& state, const std::string& row);
  /// Widens intervals by what all rows together moved between their turns.
  void hold_drift();
  void pool_repetitions();

  RunState& run_;
  std::shared_ptr<CounterSource> counter_;
  /// The time for one row, less where time is short.
  Budget budget() const;

  Budget budget_;
  int rows_to_come_ = 0;  ///< of this turn and those after it
  DramProbe dram_probe_;
  std::map<std::string, std::vector<Timed>> found_;  ///< one entry per repetition
  std::map<std::string, Timed> first_look_;
  std::map<std::string, double> first_seconds_;  ///< that the first turn took in all, of rows still to come
  EvenShare second_turns_;
  double second_share_ = 1;                           ///< of the rows to come that will get their second turn
  std::map<std::string, std::string> first_failure_;  ///< rows that failed their first turn, and why
  std::map<std::string, Counts> counts_;
  std::map<std::string, double> in_caches_;
  std::map<std::string, Choice> choices_;  ///< of tuned rows
};

}  // namespace roofline
