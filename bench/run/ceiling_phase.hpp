#pragma once
#include <map>
#include <string>
#include <vector>

#include "bench/run/ceiling_measurement.hpp"
#include "bench/run/run_state.hpp"

namespace roofline {

/// The ceilings of a run: measured, imported or described; at the end the decisive ones once more.
class CeilingPhase {
 public:
  explicit CeilingPhase(RunState& run);

  /// Ceilings of an earlier run on this device instead of measured ones.
  void import(std::vector<Ceiling> ceilings, std::string path);
  /// Measures the plan's ceilings, then fixes the roofline.
  void measure(benchmark::BenchmarkReporter& to);
  /// ERT's sweep over working sets, beside the ceilings.
  void sweep();
  /// Measures the two decisive ceilings again and compares: more than 3 % is a warning, more than 5 % unstable.
  void check_drift();
  /// The repetitions of a row; null when it has no result.
  const std::vector<Ceiling>* found(const std::string& row) const;

 private:
  void run_ceiling(benchmark::State& state, const CeilingVariant& variant);
  bool recall(benchmark::State& state, const std::string& row);
  void compare_again(const Ceiling& before);

  RunState& run_;
  Budget budget_;
  std::map<std::string, std::vector<Ceiling>> found_;  ///< one entry per repetition
};

}  // namespace roofline
