#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>

#include "bench/machine/core_distance.hpp"
#include "bench/model/assessment.hpp"
#include "reporters/comparison/judging.hpp"

namespace roofline::judging {
namespace {

/// Seconds that the roof of a moment needs for a launch; 0 where no roof bounds it.
double roof_seconds(const Roofline& roofline, const Counts& counts, bool fma, const Moment& moment) {
  if (const auto flops = counts.operations.flops()) {
    auto bound = roofline.attainable_mix(counts, moment);
    if (!bound) bound = roofline.attainable(counts, fma, moment);
    return bound ? static_cast<double>(flops) / bound->rate : 0;
  }
  double slowest = 0;
  for (const auto level : memory_levels)
    if (const auto* const ceiling = roofline.bandwidth(level); ceiling && counts.at(level))
      slowest = std::max(slowest, counts.at(level)->total() / rate_at(*ceiling, moment));
  return slowest;
}

/// The logarithm of a round's value: its seconds, or these / the seconds that its roof needs. Absent: it has no roof.
using RoundValue =
    std::function<std::optional<double>(double seconds, const std::vector<Probe>& probes, std::size_t round)>;

/// The values of the rounds before which the cores lay at one distance.
struct Rounds {
  double core_distance = 0;
  std::vector<double> values;
};

/// The first element has the rounds that count. Rounds of a distance have no value where one of them has no roof.
std::vector<Rounds> rounds_by_distance(const Side& side, const KernelPoint& point, const RoundValue& value) {
  std::vector<Rounds> all;
  const auto add = [&](double distance, const std::vector<double>& seconds, const std::vector<Probe>& probes) {
    auto& values = all.emplace_back(Rounds{distance, {}}).values;
    for (std::size_t round = 0; round < seconds.size(); ++round) {
      if (!(seconds[round] > 0)) continue;
      const auto found = value(seconds[round], probes, round);
      if (!found) return values.clear();
      values.push_back(*found);
    }
  };
  const auto seconds = best_of_rounds(point.samples);
  add(side.results.core_distance, seconds.empty() ? std::vector{point.time.median} : seconds, point.probes);
  for (const auto& elsewhere : point.elsewhere)
    add(elsewhere.core_distance, best_of_rounds(elsewhere.samples), elsewhere.probes);
  return all;
}

int fewer(const TwoSamples& samples) { return static_cast<int>(std::min(samples.base.size(), samples.next.size())); }

std::vector<TwoSamples> strata_of(const std::vector<Rounds>& base, const std::vector<Rounds>& next, Places places) {
  std::vector<TwoSamples> strata;
  const auto add = [&](const Rounds& a, const Rounds& b) {
    if (!a.values.empty() && !b.values.empty()) strata.push_back({a.values, b.values});
  };
  if (places == Places::any || !(base.front().core_distance > 0 && next.front().core_distance > 0)) {
    add(base.front(), next.front());
    return strata;
  }
  for (const auto& a : base)
    for (const auto& b : next)
      if (lay_alike(a.core_distance, b.core_distance)) add(a, b);
  return strata;
}

/// Names of the ceilings that were sampled next to both points.
std::set<std::string> common_probes(const KernelPoint& base, const KernelPoint& next) {
  std::set<std::string> names, common;
  for (const auto& probe : base.probes) names.insert(probe.ceiling);
  for (const auto& probe : next.probes)
    if (names.contains(probe.ceiling)) common.insert(probe.ceiling);
  return common;
}

/// A round in units of what the base's counts need at a roofline, moved to the samples of `ceilings` next to the round.
RoundValue beside_roof(const Side& side, const KernelPoint& base, const std::set<std::string>& ceilings) {
  const auto& all = side.results.roofline;
  return [&base, &ceilings, roofline = base.threads == all.threads() ? all : Roofline(all.ceilings(), base.threads)](
             double seconds, const std::vector<Probe>& probes, std::size_t round) -> std::optional<double> {
    Moment moment;
    for (const auto& probe : probes)
      for (const auto& ceiling : roofline.ceilings())
        if (ceiling.name == probe.ceiling && ceilings.contains(probe.ceiling) && round < probe.rates.size() &&
            probe.rates[round] > 0)
          part_of(moment, ceiling) = probe.rates[round] / ceiling.rate;
    const double roof = roof_seconds(roofline, base.counts, base.fma, moment);
    return roof > 0 ? std::optional(std::log(seconds / roof)) : std::nullopt;
  };
}

}  // namespace

int RelativeRounds::rounds_a_side() const {
  int rounds = 0;
  for (const auto& pair : strata) rounds += fewer(pair);
  return rounds;
}

bool RelativeRounds::are_enough() const {
  const int rounds = rounds_a_side();
  std::size_t pairs = 0;
  for (const auto& [base, next] : strata) pairs += base.size() * next.size();
  return rounds >= least_rounds_judged ||
         (rounds >= least_rounds_alike && pairs >= least_rounds_judged * least_rounds_judged);
}

double RelativeRounds::shift() const {
  std::vector<double> differences;
  for (const auto& [base, next] : strata)
    for (const double b : base)
      for (const double n : next) differences.push_back(n - b);
  return median(differences);
}

RelativeRounds relative_rounds(const Side& of_base, const KernelPoint& base, const Side& of_next,
                               const KernelPoint& next, Places places) {
  const auto measured = [](const Side& side) {
    return side.results.ceilings_origin.kind == CeilingsOrigin::Kind::measured;
  };
  const auto common = common_probes(base, next);
  if (!common.empty() || (measured(of_base) && measured(of_next))) {
    // Where the same ceilings were sampled next to both, both have the roofline of the base: what the new run found for
    // the others may be of another time and another place of the cores.
    const auto& other = common.empty() ? of_next : of_base;
    RelativeRounds rounds{strata_of(rounds_by_distance(of_base, base, beside_roof(of_base, base, common)),
                                    rounds_by_distance(of_next, next, beside_roof(other, base, common)), places),
                          true};
    if (!rounds.strata.empty()) return rounds;
  }
  return rounds_as_timed(of_base, base, of_next, next, places);
}

RelativeRounds rounds_as_timed(const Side& of_base, const KernelPoint& base, const Side& of_next,
                               const KernelPoint& next, Places places) {
  const auto logarithm = [](double seconds, const std::vector<Probe>&, std::size_t) {
    return std::optional(std::log(seconds));
  };
  return {strata_of(rounds_by_distance(of_base, base, logarithm), rounds_by_distance(of_next, next, logarithm), places),
          false};
}

Cause invalid_time(const KernelPoint& point) {
  if (!(point.time.median > 0) || !std::isfinite(point.time.median)) return Cause::no_time;
  if (!(point.time.low <= point.time.median && point.time.median <= point.time.high && point.time.low > 0))
    return Cause::bad_interval;
  if (above_roof(point.assessment)) return Cause::above_roof;
  return Cause::none;
}

double clock_of(const Side& side) {
  // For a GPU the highest clock is known, but not the actual one.
  return side.results.gpu || side.results.model ? 0 : side.results.machine.clock_hz;
}

const KernelPoint* PairedRow::base() const {
  for (const auto& [base, next] : points)
    if (base) return base;
  return nullptr;
}
const KernelPoint* PairedRow::next() const {
  for (const auto& [base, next] : points)
    if (next) return next;
  return nullptr;
}

}  // namespace roofline::judging
