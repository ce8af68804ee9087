#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/kernel_point.hpp"
#include "bench/sampling/ceiling_works.hpp"
#include "bench/sampling/row_rounds.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline {

/// One kernel of a run: set up once where memory allows, sampled in rounds.
class KernelRow {
 public:
  explicit KernelRow(const Variant& variant) : variant_(&variant) {}

  const std::string& name() const { return variant_->name; }
  const Variant& variant() const { return *variant_; }

  /// Its workload, launched once. For a tuned row it is the chosen tuning's; if `choice` is empty, a trial of
  /// `trial_seconds` chooses. Throws the errors of setting up: TooLarge, std::bad_alloc, errors of a GPU.
  const Workload& work(double trial_seconds);
  bool is_set_up() const { return work_.has_value(); }
  /// Gives the memory back; the next work() sets it up again.
  void release() { work_.reset(), launch_.reset(); }

  /// Samples of the kernel between samples of its roofs. A kernel's sample takes `least_seconds` at least. With
  /// `from_cache` its data lie in a cache, and a launch that is not timed brings them back before each sample.
  RowRound take_round(int round, const std::vector<std::string>& roofs, CeilingWorks& ceilings,
                      const std::function<double()>& now, double least_seconds, bool from_cache, double core_distance);
  /// Launch after launch for about `seconds`; work() came before. Returns the seconds of one.
  double keep_busy(double seconds);
  /// The point of the rounds in which the cores lay as usual (RowRounds::put_into); without its counts.
  KernelPoint point(int threads, double usual_distance) const;

  RowRounds rounds;
  Choice choice;                 ///< of a tuned row
  std::optional<Counts> counts;  ///< of one launch; absent: not counted yet
  double in_core = 0;            ///< seconds of a launch in the core's caches; 0: not measured
  std::uint64_t declared_flops = 0;
  std::string failure, skipped;  ///< why it has no result: a fault, or something that is missing here
  bool verified = false;
  double cpu_seconds = 0;        ///< of the calling thread, of a launch
  double watts = 0, joules = 0;  ///< of a GPU, and of a launch; 0: not known

 private:
  const Variant* variant_;
  std::optional<Workload> work_;
  std::optional<Sampled> launch_;
};

}  // namespace roofline
