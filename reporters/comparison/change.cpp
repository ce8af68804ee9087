#include <cmath>

#include "bench/model/assessment.hpp"
#include "reporters/comparison/judging.hpp"

namespace roofline::judging {
namespace {

/// What a ceiling gave next to each round of a row; empty: it was not sampled there.
const std::vector<double>* rates_beside(const KernelPoint& point, const std::string& ceiling) {
  for (const auto& probe : point.probes)
    if (probe.ceiling == ceiling && !probe.rates.empty()) return &probe.rates;
  return nullptr;
}

double rate_of(const Side& side, const std::string& ceiling) {
  for (const auto& known : side.results.roofline.ceilings())
    if (known.name == ceiling) return known.rate;
  return 0;
}

/// The ceilings that tell how fast the machine was for a row: probes of both sides; where a side has none those that
/// both runs measured and that bind the row.
std::vector<std::string> common_ceilings(const Side& of_base, const KernelPoint& base, const Side& of_next,
                                         const KernelPoint& next) {
  std::vector<std::string> names;
  for (const auto& probe : base.probes)
    if (rates_beside(base, probe.ceiling) && rates_beside(next, probe.ceiling)) names.push_back(probe.ceiling);
  if (!base.probes.empty() && !next.probes.empty()) return names;
  const auto measured = [](const Side& side) {
    return side.results.ceilings_origin.kind == CeilingsOrigin::Kind::measured;
  };
  if (!measured(of_base) || !measured(of_next)) return names;
  for (const auto* const ceiling : of_base.results.roofline.binding(base.counts, base.fma))
    if (rate_of(of_base, ceiling->name) > 0 && rate_of(of_next, ceiling->name) > 0) names.push_back(ceiling->name);
  return names;
}

/// Logarithms of the work that the ceilings would have done in the time of each round: seconds times their rate.
std::vector<double> work_of_rounds(const Side& side, const KernelPoint& point, const std::vector<std::string>& names) {
  auto seconds = point.seconds_of_rounds();
  if (seconds.empty()) seconds = {point.time.median};
  std::vector<double> all;
  for (std::size_t round = 0; round < seconds.size(); ++round) {
    double work = std::log(seconds[round]);
    for (const auto& name : names) {
      const auto* const beside = rates_beside(point, name);
      const bool sampled = beside && round < beside->size() && (*beside)[round] > 0;
      const double rate = sampled ? (*beside)[round] : rate_of(side, name);
      if (rate > 0) work += std::log(rate) / static_cast<double>(names.size());
    }
    all.push_back(work);
  }
  return all;
}

}  // namespace

Interval change_of(const Side& of_base, const KernelPoint& base, const Side& of_next, const KernelPoint& next) {
  const auto names = common_ceilings(of_base, base, of_next, next);
  if (names.empty())
    return {next.time.median / base.time.median, next.time.low / base.time.high, next.time.high / base.time.low};
  const auto before = median_interval(work_of_rounds(of_base, base, names)),
             after = median_interval(work_of_rounds(of_next, next, names));
  // Of one round the range is not known.
  const auto width = [](const KernelPoint& point, const Interval& rounds) {
    const double within = std::log(point.time.high / point.time.low) / 2;
    return point.rounds() > 1 ? rounds : Interval{rounds.median, rounds.median - within, rounds.median + within};
  };
  const auto b = width(base, before), n = width(next, after);
  return {std::exp(n.median - b.median), std::exp(n.low - b.high), std::exp(n.high - b.low)};
}

Cause invalid_time(const KernelPoint& point) {
  if (!(point.time.median > 0) || !std::isfinite(point.time.median)) return Cause::no_time;
  if (!(point.time.low <= point.time.median && point.time.median <= point.time.high && point.time.low > 0))
    return Cause::bad_interval;
  if (above_roof(point.assessment)) return Cause::above_roof;
  return Cause::none;
}

double clock_of(const Side& side) {
  // Of a GPU the highest clock is known, not the one it had.
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
