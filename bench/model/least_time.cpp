#include "bench/model/least_time.hpp"

namespace roofline {

std::optional<LeastTime> least_time(const Roofline& roofline, const Counts& counts, const Operations& executed) {
  std::optional<LeastTime> result;
  const auto need = [&](double seconds, const Resource& bound) {
    if (!result || seconds > result->seconds) result = LeastTime{seconds, bound};
  };
  if (const auto compute = roofline.compute_mix(executed))
    need(static_cast<double>(executed.flops()) / compute->rate, compute->resource);
  for (const auto level : memory_levels)
    if (const auto time = roofline.level_time(level, counts)) need(time->seconds, level);
  if (const auto seconds = roofline.region_time(counts); seconds && *seconds > 0)
    need(*seconds, Resource::Kind::fork_join);
  return result;
}

Counts at_end(Counts counts, double Span::*end) {
  for (const auto level : memory_levels) {
    auto& bytes = counts.at(level);
    const auto& range = counts.range[static_cast<std::size_t>(level)];
    if (!bytes || !range || bytes->total() <= 0) continue;
    const double factor = (*range).*end / bytes->total();
    bytes = Traffic{bytes->read * factor, bytes->written * factor};
  }
  return counts;
}

}  // namespace roofline
