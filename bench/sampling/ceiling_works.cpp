#include "bench/sampling/ceiling_works.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/model/statistics.hpp"
#include "bench/suite/launch_check.hpp"

namespace roofline {
namespace {

constexpr double fills_caches_itself = 20e-3;
constexpr double most_launches = 1e7;

constexpr int trial_rounds = 3;
constexpr double trial_seconds = 2e-3;  // of a sample in the trial
constexpr double load_seconds = 4, load_sample_seconds = 0.02;

/// The numbers of the variants, the fastest of a short trial first: in rounds, so that no disturbance meets one of them
/// alone.
std::vector<std::size_t> by_rate(const CeilingVariant& variant) {
  struct Candidate {
    CeilingWork work;
    Sampled launch;
    double rate = 0;
  };
  std::vector<Candidate> candidates;
  std::vector<std::size_t> order(variant.make.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() < 2) return order;
  const auto try_once = [](Candidate& candidate) {
    candidate.rate = std::max(candidate.rate, candidate.work.work / sample(candidate.launch));
  };
  for (const auto& make : variant.make) {
    stop_if_interrupted();
    auto work = make();
    work.launch();
    auto launch = sampled(timer(work), trial_seconds);
    candidates.push_back({std::move(work), std::move(launch)});
    if (!variant.ceiling.whole_device) continue;
    // Of a GPU, whose memory all of them may not fit, one after the other.
    for (int round = 0; round < trial_rounds; ++round) try_once(candidates.back());
    candidates.back().work = {}, candidates.back().launch.time = {};
  }
  for (int round = 0; round < trial_rounds && !variant.ceiling.whole_device; ++round)
    for (auto& candidate : candidates) try_once(candidate);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return candidates[a].rate > candidates[b].rate; });
  return order;
}

}  // namespace

Sampled sampled(Timer time, double seconds) {
  double one = time(1);
  if (one < seconds) one = std::min(one, time(1));
  // A launch of microseconds is known by many.
  int batch = 1;
  while (one * batch < seconds / 4 && batch < most_launches / 8) {
    batch = static_cast<int>(std::clamp(std::ceil(seconds / 4 / std::max(one, 1e-9)), 2.0 * batch, 8.0 * batch));
    one = std::min(one, time(batch) / batch);
  }
  batch = static_cast<int>(std::clamp(std::round(seconds / std::max(one, 1e-9)), 1.0, most_launches));
  return {std::move(time), batch, one};
}

double sample(Sampled& launch) {
  if (launch.seconds < fills_caches_itself) launch.time(1);
  return launch.seconds = launch.time(launch.batch) / launch.batch;
}

std::string CeilingWorks::set_up(const CeilingVariant& variant, const std::string& winner) {
  std::string first_complaint;
  auto order = std::vector<std::size_t>(variant.make.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (winner.empty()) order = by_rate(variant);
  // A wrong variant is often a fast one: then the next one is the ceiling.
  for (const auto number : order) {
    // Made anew: variants may share the memory that the others have written to since.
    auto work = variant.make[number]();
    if (!winner.empty() && work.variant != winner) continue;
    work.launch();
    if (const auto check = work.check(); !check.ok) {
      if (first_complaint.empty()) first_complaint = complaint(check);
      continue;
    }
    auto ceiling = variant.ceiling;
    ceiling.variant = work.variant;
    ceiling.winner = number;
    const double theory = work.theory ? work.theory() : 0;
    auto launch = sampled(timer(work), sample_seconds);
    works_[ceiling.name] = {ceiling, std::move(work), std::move(launch), theory, 0, first_complaint, {}};
    return {};
  }
  return winner.empty() ? first_complaint : set_up(variant);
}

double CeilingWorks::sample(const std::string& name, int round) {
  auto& [ceiling, work, launch, theory, clock, rejected, rates] = works_.at(name);
  const double rate = work.work / roofline::sample(launch);
  // The clock moves: the theory of the best rate is that of the highest clock.
  const bool first_of_round = rates.empty() || rates.back().first != round;
  rates.emplace_back(round, rate);
  if (work.theory && first_of_round) theory = std::max(theory, work.theory());
  if (work.clock && first_of_round) clock = std::max(clock, work.clock());
  return rate;
}

double CeilingWorks::median_of(const std::string& name, int round) const {
  std::vector<double> of_round;
  for (const auto& [number, rate] : works_.at(name).rates)
    if (number == round) of_round.push_back(rate);
  return of_round.empty() ? 0 : median(of_round);
}

Ceiling CeilingWorks::result(const std::string& name) const {
  const auto& [ceiling, work, launch, theory, clock, rejected, rates] = works_.at(name);
  auto result = ceiling;
  std::map<int, double> best;
  std::vector<double> all;
  for (const auto& [round, rate] : rates) best[round] = std::max(best[round], rate), all.push_back(rate);
  if (all.empty()) return result;
  result.samples = static_cast<int>(all.size());
  result.rate_median = median(all);
  const auto by_rate = [](const auto& a, const auto& b) { return a.second < b.second; };
  result.rate_low = std::min_element(best.begin(), best.end(), by_rate)->second;
  result.rate = result.rate_high = std::max_element(best.begin(), best.end(), by_rate)->second;
  if (theory > 0) result.theory = theory;
  result.clock_end = clock;
  return result;
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
  stop_if_interrupted();  // what a part of the load says is no sustained rate
  const auto second_half = [](const std::vector<double>& values) {
    return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  };
  const auto interval = median_interval(second_half(rates));
  result.rate = result.rate_median = interval.median;
  result.rate_low = interval.low, result.rate_high = interval.high;
  result.samples = static_cast<int>(rates.size() - rates.size() / 2);
  result.variant = work.variant;
  if (!clocks.empty()) result.clock_begin = clocks.front(), result.clock_end = median(second_half(clocks));
  if (work.theory) result.theory = work.theory();
  failure = complaint(work.check());
  return result;
}

}  // namespace roofline
