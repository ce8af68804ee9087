#include "bench/counters/perf/counter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/counters/perf/with_counted.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/machine/clock.hpp"

namespace roofline::perf {

Counter::Counter(std::vector<Formula> formulas, std::shared_ptr<CounterSource> modelled,
                 std::function<void(const std::string&)> warn, Setup setup)
    : formulas_(std::move(formulas)),
      modelled_(std::move(modelled)),
      warn_(std::move(warn)),
      setup_(std::move(setup)) {}

int repetitions(double seconds) {
  constexpr double long_enough = 0.02;
  return static_cast<int>(std::clamp(long_enough / std::max(seconds, 1e-9), 1.0, 10000.0));
}

EventCounts count(const Formula& formula, const Counter::Setup& setup, const std::function<void()>& work) {
  return Group(*setup.system, events_of(formula, setup.devices), setup.threads()).count(work);
}

std::optional<Counts> Counter::count(const std::string& row, const Workload& work) {
  auto modelled = modelled_ ? modelled_->count(row, work) : std::nullopt;
  work.launch();  // the threads exist, the data is where repeated launches find it
  const auto begin = Clock::now();
  work.launch();
  const int times = repetitions(seconds_since(begin));
  CpuValues values;
  const auto refused = [&](const Formula& formula) {
    try {
      const auto events = perf::count(formula, setup_, [&] {
        for (int i = 0; i < times; ++i) work.launch();
      });
      values[formula.quantity] = formula.value(events).value() / times;
      return false;
    } catch (const CountersUnavailable& why) {
      warn_(fmt::format("counter refused: {}: {}", name(formula.quantity), why.what()));
      return true;
    }
  };
  std::erase_if(formulas_, refused);
  if (values.empty()) return modelled;
  return with_counted(modelled.value_or(Counts()), values, Source::hardware,
                      fmt::format("counted by perf at user level, {} launch{}", times, times == 1 ? "" : "es"));
}

}  // namespace roofline::perf
