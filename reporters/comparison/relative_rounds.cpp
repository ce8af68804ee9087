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

/// The rounds of a point before which the cores lay at one distance.
struct Rounds {
  double core_distance = 0;
  std::vector<double> seconds;
  const std::vector<Probe>* probes = nullptr;
};

std::vector<Rounds> rounds_by_distance(const Side& side, const KernelPoint& point) {
  std::vector<Rounds> all;
  const auto add = [&](double distance, const KernelPoint& timed, const std::vector<Probe>& probes) {
    auto seconds = timed.seconds_of_rounds();
    if (seconds.empty()) seconds = {point.time.median};
    all.push_back({distance, std::move(seconds), &probes});
  };
  add(side.results.core_distance, point, point.probes);
  for (const auto& elsewhere : point.elsewhere) {
    KernelPoint timed;
    timed.samples = elsewhere.samples;
    add(elsewhere.core_distance, timed, elsewhere.probes);
  }
  return all;
}

/// Names of the ceilings that were sampled next to both points.
std::set<std::string> common_probes(const KernelPoint& base, const KernelPoint& next) {
  std::set<std::string> names, common;
  for (const auto& probe : base.probes) names.insert(probe.ceiling);
  for (const auto& probe : next.probes)
    if (names.contains(probe.ceiling)) common.insert(probe.ceiling);
  return common;
}

/// What the machine gave in a round, in units of the ceilings of `roofline`.
Moment moment_of(const Roofline& roofline, const std::vector<Probe>& probes, const std::set<std::string>& names,
                 std::size_t round) {
  Moment moment;
  for (const auto& probe : probes)
    for (const auto& ceiling : roofline.ceilings())
      if (ceiling.name == probe.ceiling && names.contains(probe.ceiling) && round < probe.rates.size() &&
          probe.rates[round] > 0)
        part_of(moment, ceiling) = probe.rates[round] / ceiling.rate;
  return moment;
}

/// The logarithm of a round's value: seconds, or seconds / those of its roof. Absent: it has none.
using ValueOfRound = std::function<std::optional<double>(const Side&, const KernelPoint&, const Rounds&, std::size_t)>;

/// Empty where a round has a time and no value.
std::vector<double> values_of(const Side& side, const KernelPoint& point, const Rounds& rounds,
                              const ValueOfRound& value_of) {
  std::vector<double> values;
  for (std::size_t round = 0; round < rounds.seconds.size(); ++round) {
    if (!(rounds.seconds[round] > 0)) continue;
    const auto value = value_of(side, point, rounds, round);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

int fewer(const TwoSamples& samples) { return static_cast<int>(std::min(samples.base.size(), samples.next.size())); }

std::vector<TwoSamples> strata_of(const Side& of_base, const KernelPoint& base, const Side& of_next,
                                  const KernelPoint& next, const ValueOfRound& value_of) {
  const auto all_base = rounds_by_distance(of_base, base), all_next = rounds_by_distance(of_next, next);
  std::vector<TwoSamples> strata;
  const auto add = [&](const Rounds& a, const Rounds& b) {
    TwoSamples pair{values_of(of_base, base, a, value_of), values_of(of_next, next, b, value_of)};
    if (fewer(pair) > 0) strata.push_back(std::move(pair));
  };
  const auto unknown = [](const std::vector<Rounds>& all) { return !(all.front().core_distance > 0); };
  if (unknown(all_base) || unknown(all_next)) {
    add(all_base.front(), all_next.front());
    return strata;
  }
  for (const auto& a : all_base)
    for (const auto& b : all_next)
      if (lay_alike(a.core_distance, b.core_distance)) add(a, b);
  return strata;
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
                               const KernelPoint& next) {
  const auto measured = [](const Side& side) {
    return side.results.ceilings_origin.kind == CeilingsOrigin::Kind::measured;
  };
  const auto common = common_probes(base, next);
  const auto beside_roof = [&](const Side& side, const KernelPoint& point, const Rounds& rounds,
                               std::size_t round) -> std::optional<double> {
    // Both sides have the roofline of the base, moved to what was sampled next to each: what the runs found for the
    // other ceilings cancels. It may be of other places of the cores.
    const auto& all = (common.empty() ? side : of_base).results.roofline;
    const Roofline roofline = point.threads == all.threads() ? all : Roofline(all.ceilings(), point.threads);
    const auto moment = moment_of(roofline, *rounds.probes, common, round);
    const double roof = roof_seconds(roofline, base.counts, base.fma, moment);
    if (!(roof > 0)) return std::nullopt;
    return std::log(rounds.seconds[round] / roof);
  };
  if (!common.empty() || (measured(of_base) && measured(of_next))) {
    RelativeRounds rounds{strata_of(of_base, base, of_next, next, beside_roof), true};
    if (!rounds.strata.empty()) return rounds;
  }
  return rounds_as_timed(of_base, base, of_next, next);
}

RelativeRounds rounds_as_timed(const Side& of_base, const KernelPoint& base, const Side& of_next,
                               const KernelPoint& next) {
  const auto seconds = [](const Side&, const KernelPoint&, const Rounds& rounds, std::size_t round) {
    return std::optional(std::log(rounds.seconds[round]));
  };
  return {strata_of(of_base, base, of_next, next, seconds), false};
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
