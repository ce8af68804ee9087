#include "reporters/comparison/factors.hpp"

#include <cmath>

#include "bench/model/assessment.hpp"
#include "bench/model/roofline.hpp"

namespace roofline {
namespace {

/// Least time of counts; without ceilings FLOPs or outermost bytes in its place, of which only ratios are used.
std::optional<LeastTime> price(const Roofline& roofline, const Counts& counts, bool by_bytes) {
  if (auto least = least_time(roofline, counts, counts.executed.value_or(counts.operations));
      least && least->seconds > 0)
    return least;
  if (const auto flops = counts.operations.flops(); flops && !by_bytes)
    return LeastTime{static_cast<double>(flops), Resource::Kind::flops};
  if (const auto level = outermost_level(counts))
    if (const double bytes = counts.at(*level)->total(); bytes > 0) return LeastTime{bytes, *level};
  return std::nullopt;
}

double ratio(double next, double base) {
  const double value = next / base;
  return std::isfinite(value) && value > 0 ? value : 1;
}

}  // namespace

std::optional<Factors> factors_of(const Roofline& roofline, const TimedCounts& base, const TimedCounts& next) {
  if (!(base.seconds > 0) || !(next.seconds > 0)) return std::nullopt;
  Factors factors;
  Counts other_work = *base.counts;
  other_work.operations = next.counts->operations, other_work.executed = next.counts->executed;
  const bool equal_work = base.counts->operations == next.counts->operations;
  const auto before = price(roofline, *base.counts, equal_work), worked = price(roofline, other_work, equal_work),
             after = price(roofline, *next.counts, equal_work);
  if (before) factors.bound = before->bound;
  if (before && worked) factors.work = ratio(worked->seconds, before->seconds);
  if (worked && after) factors.traffic = ratio(after->seconds, worked->seconds);
  factors.efficiency = next.seconds / base.seconds / (factors.work * factors.traffic);
  return factors;
}

}  // namespace roofline
