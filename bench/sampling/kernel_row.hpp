#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/kernel_point.hpp"
#include "bench/sampling/ceiling_works.hpp"
#include "bench/sampling/row_rounds.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// One kernel of a run: set up once where memory allows, sampled in rounds.
class KernelRow {
 public:
  KernelRow(const Variant& variant, int threads);

  const std::string& name() const { return variant_->name; }
  const Variant& variant() const { return *variant_; }

  /// Its workload, launched once. For a tuned row it is that of the point's tuning; if the point has none, a
  /// trial of `trial_seconds` chooses. Throws the errors of setting up: TooLarge, std::bad_alloc, errors of a GPU.
  const Workload& work(double trial_seconds);
  bool is_set_up() const { return work_.has_value(); }
  /// Gives the memory back; the next work() sets it up again.
  void release() { work_.reset(), launch_.reset(); }

  /// Samples of the kernel, whose data lie in `source`, between samples of its roofs. A kernel's sample takes
  /// `least_seconds` at least.
  RowRound take_round(int round, const std::vector<std::string>& roofs, CeilingWorks& ceilings,
                      const std::function<double()>& now, double least_seconds, DataSource source,
                      double core_distance);
  bool samples_parts() const { return share_ < 1; }
  /// Seconds of a launch out of a core's caches. The workload must have `in_core`, and a round must have come before.
  double seconds_in_core();
  /// Launch after launch for about `seconds`; work() came before. Returns the seconds of one.
  double keep_busy(double seconds);
  KernelPoint point;             ///< all that is known of it but its rounds
  bool counted = false;          ///< the point has its counts
  std::string failure, skipped;  ///< why it has no result: a fault, or something that is missing here
  bool verified = false;

 private:
  const Variant* variant_;
  std::optional<Workload> work_;
  std::optional<Sampled> launch_;  ///< or a part of one
  double share_ = 1;               ///< of a launch that it is
  Index parts_ = 1;                ///< that a launch has, each as long as a sample should be

  void prepare_samples(double least_seconds, DataSource source);
};

}  // namespace roofline
