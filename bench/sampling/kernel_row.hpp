#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/kernel_point.hpp"
#include "bench/sampling/ceiling_works.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline {

/// What one round of a row found.
struct RowRound {
  std::vector<Sample> samples;
  std::map<std::string, double> probes;  ///< the median rate of each ceiling between the samples
  double clock = 0;                      ///< Hz of the processor during the sample; 0: not known
};

/// One kernel of a run: set up once where memory allows, sampled in rounds.
class KernelRow {
 public:
  explicit KernelRow(const Variant& variant) : variant_(&variant) {}

  const std::string& name() const { return variant_->name; }
  const Variant& variant() const { return *variant_; }

  /// Its workload, launched once; of a tuned row that of the chosen tuning, chosen where `choice` is empty by a trial
  /// of `trial_seconds`. Throws what setting up throws: TooLarge, std::bad_alloc, errors of a GPU.
  const Workload& work(double trial_seconds);
  bool is_set_up() const { return work_.has_value(); }
  /// Gives the memory back; the next work() sets it up again.
  void release() { work_.reset(), launch_.reset(); }

  /// A sample of the kernel between two of its roof, `least_seconds` of it. More of a round's samples would tell less
  /// than more rounds do: what moves, moves from one second to the next.
  RowRound take_round(int round, const std::vector<std::string>& probes, CeilingWorks& ceilings,
                      const std::function<double()>& now, double least_seconds);
  /// Launch after launch for about `seconds`; work() came before. Returns the seconds of one.
  double keep_busy(double seconds);
  /// The rate of each probe in each of its rounds, from all samples of its ceiling in that round.
  void set_probes(const std::function<double(const std::string& ceiling, int round)>& rate_of) {
    for (auto& [round, found] : rounds_)
      for (auto& [ceiling, rate] : found.probes)
        if (const double all = rate_of(ceiling, round); all > 0) rate = all;
  }
  /// Enters what a round found, in this process or in one before it.
  void add(int round, const RowRound& found);

  /// Hz of the processor in the round that was added last; 0: not known.
  double last_clock() const { return rounds_.empty() ? 0 : rounds_.back().second.clock; }
  /// The point of all rounds from `first` on, `n` of them; without its counts.
  KernelPoint point(int threads, int first, int n) const;

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
  std::vector<std::pair<int, RowRound>> rounds_;
};

}  // namespace roofline
