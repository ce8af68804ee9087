#include "bench/suite/tunings.hpp"

#include <algorithm>

#include "bench/machine/interrupt.hpp"
#include "bench/suite/launch_check.hpp"

namespace roofline {
namespace {

constexpr double far_behind = 1.25;    // times the shortest of the first two rounds
constexpr int least_trial_rounds = 2;  // one sample alone may have met another program

const KernelTuning* tuning_called(const Variant& variant, const std::string& name) {
  const auto found = std::find_if(variant.tunings.begin(), variant.tunings.end(),
                                  [&](const KernelTuning& tuning) { return tuning.name == name; });
  return found == variant.tunings.end() ? nullptr : &*found;
}

auto shortest(const std::vector<Trial>& trials) {
  return std::min_element(trials.begin(), trials.end(), [](auto& a, auto& b) { return a.seconds < b.seconds; });
}

}  // namespace

Workload work_of_tuning(const Variant& variant, Choice& choice, double seconds) {
  if (const auto* const known = tuning_called(variant, choice.tuning)) return known->make();
  std::vector<Workload> works;
  std::vector<Timer> timers;
  choice.trials.clear();
  double spent = 0;
  for (const auto& tuning : variant.tunings) {
    works.push_back(tuning.make());
    require_complete(works.back());
    works.back().launch();
    timers.push_back(timer(works.back()));
    choice.trials.push_back({tuning.name, timers.back()(1)});
    spent += choice.trials.back().seconds;
  }
  double best_so_far = 0;
  for (int round = 2; (round <= least_trial_rounds || spent < seconds) && !interrupted(); ++round) {
    for (std::size_t i = 0; i < works.size(); ++i) {
      // The order turns round, so that no tuning always follows the same one.
      const auto at = round % 2 == 0 ? works.size() - 1 - i : i;
      auto& trial = choice.trials[at];
      if (round > least_trial_rounds && trial.seconds > far_behind * best_so_far) continue;
      const double again = timers[at](1);
      trial.seconds = std::min(trial.seconds, again);
      spent += again;
    }
    best_so_far = shortest(choice.trials)->seconds;
  }
  const auto best = shortest(choice.trials);
  choice.tuning = best->tuning;
  return works[static_cast<std::size_t>(best - choice.trials.cbegin())];
}

const KernelTuning* tuning_to_model(const Variant& variant, const std::map<std::string, std::string>& known) {
  if (variant.tunings.empty()) return nullptr;
  const auto choice = known.find(variant.name);
  const auto* const chosen = choice == known.end() ? nullptr : tuning_called(variant, choice->second);
  return chosen ? chosen : &variant.tunings.front();
}

}  // namespace roofline
