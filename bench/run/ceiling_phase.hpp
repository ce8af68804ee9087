#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/run/ceiling_measurement.hpp"
#include "bench/run/run_state.hpp"

namespace roofline {

/// The ceilings of a run: measured, imported or described; at the end looked at once more.
class CeilingPhase {
 public:
  explicit CeilingPhase(RunState& run);

  /// Ceilings of an earlier run on this device instead of measured ones.
  void import(std::vector<Ceiling> ceilings, std::string path);
  /// Measures the plan's ceilings, then fixes the roofline.
  void measure(benchmark::BenchmarkReporter& to);
  /// ERT's sweep over working sets, beside the ceilings.
  void sweep();
  /// Measures the two decisive ceilings again and compares: more than 3 % is a warning, more than 5 % unstable. One
  /// that was disturbed at first is replaced, as are all others while there is time. The journal keeps the first ones,
  /// which the paces of its kernels are relative to: a resumed run looks again.
  void check_drift();
  /// The repetitions of a row; null when it has no result.
  const std::vector<Ceiling>* found(const std::string& row) const;

 private:
  void run_ceiling(benchmark::State& state, const CeilingVariant& variant);
  bool recall(benchmark::State& state, const std::string& row);
  /// Measures those again that physics says are too low, and replaces them by what is better.
  void look_again();
  std::optional<Ceiling> measured_again(const std::string& name);
  /// Theory of another core than this one is none: see withdraw_foreign_theory().
  void withdraw_theory();
  void replace(const Ceiling& better);
  /// Whether `now` replaces `before` because the cores lay where they do for most of the run, and before did not.
  bool replaces_stranger(const Ceiling& now, const Ceiling& before);
  /// What they say of the CPU's stores, asked once, and their bytes by that account.
  void settle_stores();
  void compare_again(const Ceiling& before);
  struct SecondLooks;
  /// The better of two looks, minutes apart, at every ceiling but those in `results.drifts`; more looks at those that
  /// were measured while the cores lay elsewhere.
  void take_second_look();
  void look_once_more(const CeilingVariant& variant, SecondLooks& seen);
  /// Whether it was measured while the cores lay elsewhere than for most of the run.
  bool is_stranger(const CeilingVariant& variant) const;
  Budget budget() const;
  /// For the decisive ones at the end: of what time is left an eighth each.
  Budget last_budget() const;

  RunState& run_;
  Budget budget_;
  int rows_to_come_ = 0;
  std::map<std::string, std::vector<Ceiling>> found_;  ///< one entry per repetition
};

}  // namespace roofline
