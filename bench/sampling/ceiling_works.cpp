#include "bench/sampling/ceiling_works.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "bench/machine/clock.hpp"
#include "bench/machine/core_distance.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/model/assessment.hpp"
#include "bench/model/statistics.hpp"
#include "bench/suite/launch_check.hpp"

namespace roofline {
namespace {

constexpr int visit_samples = 4;
// FMAs with a division take hardly longer than FMAs: the difference is known by many short samples of both.
// A clock that has not settled is the same for both.
constexpr int samples_in_turns = 24;
constexpr double seconds_in_turns = 1e-3;
constexpr int trial_rounds = 3, trial_rounds_of_dram = 5;  // whose samples differ by a fifth
constexpr double trial_seconds = 2e-3;                     // of a sample in the trial
constexpr double contends = 0.6;  // of the best rate at first sight: slower variants are not tried again
constexpr double load_seconds = 4, load_sample_seconds = 0.02;

/// The numbers of the variants, the fastest of a short trial first: in rounds, so that no disturbance meets one of them
/// alone. The rate at first sight only says who contends: part of a DRAM set is still in the caches where a variant has
/// just filled it, and such rates were up to 40 % too high (results/precision).
std::vector<std::size_t> by_rate(const CeilingVariant& variant) {
  struct Candidate {
    CeilingWork work;
    Sampled launch;
    double at_first_sight = 0;
    std::vector<double> rates = {};  ///< of the trial

    int rounds() const { return work.from_cache ? trial_rounds : trial_rounds_of_dram; }
    /// The best of three, the second best of five; 0: it did not contend.
    double rate() const {
      auto falling = rates;
      std::sort(falling.begin(), falling.end(), std::greater<>());
      return falling.empty() ? 0 : falling[falling.size() / 4];
    }
  };
  std::vector<Candidate> candidates;
  std::vector<std::size_t> order(variant.make.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() < 2) return order;
  const auto try_once = [](Candidate& candidate) {
    candidate.rates.push_back(candidate.work.work / sample(candidate.launch));
  };
  for (const auto& make : variant.make) {
    stop_if_interrupted();
    auto work = make();
    work.launch();
    auto launch = sampled(timer(work), trial_seconds);
    const double first = work.work / launch.seconds;
    candidates.push_back({std::move(work), std::move(launch), first});
    if (!variant.ceiling.whole_device) continue;
    // On a GPU they are made one after the other, because its memory may not hold all of them.
    for (int round = 0; round < trial_rounds; ++round) try_once(candidates.back());
    candidates.back().work = {}, candidates.back().launch.time = {};
  }
  double best = 0;
  for (const auto& candidate : candidates) best = std::max(best, candidate.at_first_sight);
  for (int round = 0; round < trial_rounds_of_dram && !variant.ceiling.whole_device; ++round)
    for (auto& candidate : candidates)
      if (round < candidate.rounds() && candidate.at_first_sight > contends * best) try_once(candidate);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return candidates[a].rate() > candidates[b].rate(); });
  return order;
}

}  // namespace

std::string CeilingWorks::set_up(const CeilingVariant& variant, const std::string& winner, std::size_t number) {
  std::string first_complaint;
  auto order = std::vector<std::size_t>(variant.make.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (winner.empty())
    order = by_rate(variant);
  else if (number < order.size())
    std::swap(order.front(), order[number]);
  // A wrong variant is often a fast one: then the next one is the ceiling.
  for (const auto place : order) {
    // Made anew: variants may share the memory that the others have written to since.
    auto work = variant.make[place]();
    if (!winner.empty() && work.variant != winner) continue;
    work.launch();
    if (const auto check = work.check(); !check.ok) {
      if (first_complaint.empty()) first_complaint = complaint(check);
      continue;
    }
    auto ceiling = variant.ceiling;
    ceiling.rate = 0;
    ceiling.variant = work.variant;
    ceiling.winner = place;
    if (const double theory = work.theory ? work.theory() : 0; theory > 0) ceiling.theory = theory;
    auto launch = sampled(timer(work), sample_seconds);
    if (!work.from_cache)
      launch.source = DataSource::memory;
    else if (ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == MemoryLevel::L3)
      launch.source = DataSource::shared_cache;
    works_[ceiling.name] = {ceiling, std::move(work), std::move(launch), first_complaint};
    return {};
  }
  return winner.empty() ? first_complaint : set_up(variant);
}

std::string CeilingWorks::set_up(const CeilingVariant& variant, const Ceiling& known) {
  auto why = set_up(variant, known.variant, known.winner);
  if (why.empty())
    works_.at(known.name).account = known.bytes_per_explicit_byte / variant.ceiling.bytes_per_explicit_byte;
  return why;
}

double CeilingWorks::sample(const std::string& name, double seconds) {
  auto& work = works_.at(name);
  const int launches = work.launch.launches_for(seconds);
  const double taken = roofline::sample(work.launch, launches);
  sampled_seconds_ += launches * taken;
  return work.account * work.work.work / taken;
}

Visit CeilingWorks::visit_in_turns(const std::string& name, const std::string& fma) {
  Visit visit;
  std::vector<double> ratios;
  for (int i = 0; i < samples_in_turns; ++i) {
    visit.rates.push_back(sample(name, seconds_in_turns));
    ratios.push_back(visit.rates.back() / sample(fma, seconds_in_turns));
  }
  visit.of_fma = median(ratios);
  return visit;
}

Visit CeilingWorks::visit(const std::string& name, double core_distance) {
  Visit visit;
  auto fma = ceiling(name);
  if (fma.operation == Operation::fma48div) {
    fma.operation = Operation::fma;
    if (const auto beside = ceiling_name(fma); has(beside)) visit = visit_in_turns(name, beside);
  }
  visit.core_distance = core_distance;
  if (visit.rates.empty())
    for (int i = 0; i < visit_samples; ++i) visit.rates.push_back(sample(name));
  const auto& work = works_.at(name).work;
  if (work.theory) visit.theory = work.theory();
  if (work.clock) visit.clock = work.clock();
  return visit;
}

Ceiling measured(Ceiling ceiling, const std::vector<Visit>& visits, double usual_distance) {
  if (visits.empty()) return ceiling;
  const auto is_usual = [&](const Visit& visit) { return lay_alike(visit.core_distance, usual_distance); };
  const bool some_are = std::any_of(visits.begin(), visits.end(), is_usual);
  std::vector<double> best, of_fma;
  ceiling.samples = 0;
  for (const auto& visit : visits) {
    ceiling.clock_end = std::max(ceiling.clock_end, visit.clock);
    if (visit.theory > 0) ceiling.theory = std::max(ceiling.theory.value_or(0), visit.theory);
    if (some_are && !is_usual(visit)) continue;
    best.push_back(*std::max_element(visit.rates.begin(), visit.rates.end()));
    if (visit.of_fma > 0) of_fma.push_back(visit.of_fma);
    ceiling.samples += static_cast<int>(visit.rates.size());
  }
  if (!of_fma.empty()) ceiling.of_fma = median(of_fma);
  const auto [low, high] = std::minmax_element(best.begin(), best.end());
  ceiling.rate_low = *low;
  ceiling.rate_high = *high;
  // Rows leave out rounds in which their cores were disturbed. If half of the visits of one ceiling were, and none of
  // another, both together would be the roof of no machine. One visit that is far better than the others is not
  // believed.
  const auto disturbed = [&](double rate) { return is_disturbed(ceiling, rate); };
  if (3 * std::count_if(best.begin(), best.end(), disturbed) <= 2 * static_cast<std::ptrdiff_t>(best.size()))
    std::erase_if(best, disturbed);
  ceiling.rate = median(best);
  ceiling.rate_median = ceiling.rate;
  return ceiling;
}

Ceiling sustained(const CeilingVariant& variant, std::string& failure) {
  auto result = variant.ceiling;
  result.winner = by_rate(variant).front();
  const auto work = variant.make[result.winner]();
  work.launch();
  auto launch = sampled(timer(work), load_sample_seconds);
  std::vector<double> rates, clocks;
  const auto start = Clock::now();
  while (seconds_since(start) < load_seconds && !interrupted()) {
    rates.push_back(work.work * launch.batch / launch.time(launch.batch));
    if (work.clock) clocks.push_back(work.clock());
  }
  stop_if_interrupted();  // the rate of a part of the load is not a sustained rate
  const auto second_half = [](const std::vector<double>& values) {
    return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  };
  const auto interval = median_interval(second_half(rates));
  result.rate = interval.median;
  result.rate_median = interval.median;
  result.rate_low = interval.low, result.rate_high = interval.high;
  result.samples = static_cast<int>(rates.size() - rates.size() / 2);
  result.variant = work.variant;
  if (!clocks.empty()) result.clock_begin = clocks.front(), result.clock_end = median(second_half(clocks));
  if (work.theory) result.theory = work.theory();
  failure = complaint(work.check());
  return result;
}

}  // namespace roofline
