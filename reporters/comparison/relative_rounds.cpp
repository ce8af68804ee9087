#include <algorithm>
#include <cmath>

#include "bench/model/assessment.hpp"
#include "reporters/comparison/judging.hpp"

namespace roofline::judging {
namespace {

/// Seconds that the roof of a moment needs for a launch; 0 where no roof bounds it.
double roof_seconds(const Roofline& roofline, const Counts& counts, bool fma, const Moment& moment) {
  if (const auto flops = counts.operations.flops()) {
    const auto bound = roofline.attainable(counts, fma, moment);
    return bound ? static_cast<double>(flops) / bound->rate : 0;
  }
  double slowest = 0;
  for (const auto level : memory_levels)
    if (const auto* const ceiling = roofline.bandwidth(level); ceiling && counts.at(level))
      slowest = std::max(slowest, counts.at(level)->total() / rate_at(*ceiling, moment));
  return slowest;
}

Moment moment_of(const Roofline& roofline, const KernelPoint& point, std::size_t round) {
  Moment moment;
  for (const auto& probe : point.probes)
    for (const auto& ceiling : roofline.ceilings())
      if (ceiling.name == probe.ceiling && round < probe.rates.size() && probe.rates[round] > 0)
        part_of(moment, ceiling) = probe.rates[round] / ceiling.rate;
  return moment;
}

std::vector<double> logarithms_of(const KernelPoint& point) {
  std::vector<double> rounds;
  for (const double seconds : point.seconds_of_rounds())
    if (seconds > 0) rounds.push_back(std::log(seconds));
  return rounds.empty() ? std::vector{std::log(point.time.median)} : rounds;
}

/// Logarithms of seconds / those of the roof; empty where a round has no roof.
std::vector<double> beside_roofs(const Side& side, const KernelPoint& point, const KernelPoint& base) {
  const auto& all = side.results.roofline;
  const Roofline roofline = point.threads == all.threads() ? all : Roofline(all.ceilings(), point.threads);
  auto seconds = point.seconds_of_rounds();
  if (seconds.empty()) seconds = {point.time.median};
  std::vector<double> rounds;
  for (std::size_t round = 0; round < seconds.size(); ++round) {
    if (!(seconds[round] > 0)) continue;
    const double roof = roof_seconds(roofline, base.counts, base.fma, moment_of(roofline, point, round));
    if (!(roof > 0)) return {};
    rounds.push_back(std::log(seconds[round] / roof));
  }
  return rounds;
}

}  // namespace

RelativeRounds relative_rounds(const Side& of_base, const KernelPoint& base, const Side& of_next,
                               const KernelPoint& next) {
  const auto measured = [](const Side& side) {
    return side.results.ceilings_origin.kind == CeilingsOrigin::Kind::measured;
  };
  const bool probed = !base.probes.empty() && !next.probes.empty();
  if (probed || (measured(of_base) && measured(of_next))) {
    RelativeRounds rounds{beside_roofs(of_base, base, base), beside_roofs(of_next, next, base), true};
    if (!rounds.base.empty() && !rounds.next.empty()) return rounds;
  }
  return rounds_as_timed(base, next);
}

RelativeRounds rounds_as_timed(const KernelPoint& base, const KernelPoint& next) {
  return {logarithms_of(base), logarithms_of(next), false};
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
