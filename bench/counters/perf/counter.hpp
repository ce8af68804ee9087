#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/counters/counter_source.hpp"
#include "bench/counters/perf/event_table.hpp"
#include "bench/model/counts.hpp"

namespace roofline::perf {

/// Counts launches by the hardware's counters: once more for each quantity, so that no two share a counter; besides
/// them the model's answer.
class Counter final : public CounterSource {
 public:
  struct Setup {
    System* system = &this_kernel();
    std::string devices = "/sys/bus/event_source/devices";
    std::function<std::vector<int>()> threads = threads_of_this_process;
  };
  /// `modelled` may be null; `warn` takes one line for what stops being counted.
  Counter(std::vector<Formula> formulas, std::shared_ptr<CounterSource> modelled,
          std::function<void(const std::string&)> warn, Setup setup);
  std::optional<Counts> count(const std::string& row, const Workload& work) override;

 private:
  std::vector<Formula> formulas_;
  std::shared_ptr<CounterSource> modelled_;
  std::function<void(const std::string&)> warn_;
  Setup setup_;
};

/// The counts of a formula's events during `work`, in all threads that this process has by then. Throws
/// CountersUnavailable.
EventCounts count(const Formula& formula, const Counter::Setup& setup, const std::function<void()>& work);

/// Number of repetitions for a launch of `seconds`. The overhead around a launch (starting, stopping, a page of the
/// clock) must not matter, and counting a row must not take long.
int repetitions(double seconds);

/// Modelled counts with what was counted: bytes of a level become the counted ones in each direction that was counted,
/// a direction that was not stays modelled and is labelled so. FLOPs stay those of the source; the counted ones stand
/// next to them. `counter` goes into the note of the traffic.
Counts with_counted(Counts modelled, const CpuValues& values, Source source, const std::string& counter);

/// Why a count differs by more than a fifth from the model: one sentence, empty where the cause is not known or there
/// is no such difference. Causes: arXiv 2409.08108 and 2311.04797 (write-allocates evaded), the vendors' manuals.
std::string difference(CpuQuantity quantity, double measured, const Counts& modelled);

}  // namespace roofline::perf
