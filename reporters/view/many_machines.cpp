#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "bench/model/assessment.hpp"
#include "reporters/view/portability.hpp"

namespace roofline {
namespace {

/// Calls `with` for the things of each name, in the order in which names appear first.
template <class Thing, class With>
void for_each_name(const std::vector<Thing*>& things, With with) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<Thing*>> named;
  for (auto* thing : things) {
    auto& same = named[thing->name];
    if (same.empty()) order.push_back(thing->name);
    same.push_back(thing);
  }
  for (const auto& name : order) with(named[name]);
}

Roofline middle_roofline(std::vector<Results>& runs) {
  const int threads = runs.front().roofline.threads();
  std::vector<const Ceiling*> all;
  for (const auto& run : runs)
    for (const auto& ceiling : run.roofline.ceilings()) all.push_back(&ceiling);
  std::vector<Ceiling> middle;
  for_each_name(all, [&](const std::vector<const Ceiling*>& same) {
    std::vector<double> rates;
    for (const auto* ceiling : same) rates.push_back(ceiling->rate);
    const auto band = middle_ninety(rates);
    middle.push_back(*same.front());
    middle.back().rate = middle.back().rate_median = band.median;
    middle.back().rate_low = band.low, middle.back().rate_high = band.high;
  });
  return Roofline(std::move(middle), threads);
}

}  // namespace

Interval middle_ninety(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return {median(values), values[static_cast<std::size_t>(std::floor(0.05 * last))],
          values[static_cast<std::size_t>(std::ceil(0.95 * last))]};
}

bool are_alike(const std::vector<Results>& runs) {
  const auto kind = [](const Results& r) {
    return std::tuple(r.gpu ? r.gpu->name : r.machine.name, r.roofline.threads(), r.model.has_value());
  };
  return std::all_of(runs.begin(), runs.end(), [&](const Results& r) {
    return !r.points.empty() && !r.roofline.empty() && kind(r) == kind(runs.front());
  });
}

Results many_machines(std::vector<Results> runs) {
  auto middle = runs.front();
  middle.warnings.clear(), middle.failures.clear();
  if (const auto lacking = std::count_if(runs.begin(), runs.end(), [](const auto& r) { return !r.complete(); }))
    middle.warnings.push_back(
        fmt::format("{} of {} runs lack rows; the medians are over the runs that have them", lacking, runs.size()));
  middle.roofline = middle_roofline(runs);
  middle.points.clear();
  std::vector<KernelPoint*> timed;
  for (auto& run : runs)
    for (auto& point : run.points)
      if (point.time.median > 0) timed.push_back(&point);
  for_each_name(timed, [&](std::vector<KernelPoint*> same) {
    std::sort(same.begin(), same.end(), [](auto* a, auto* b) { return a->time.median < b->time.median; });
    std::vector<double> times;
    for (const auto* point : same) times.push_back(point->time.median);
    auto point = *same[same.size() / 2];
    point.time = middle_ninety(times);
    // Samples and neighbouring roofs are of one machine.
    point.samples.clear(), point.probes.clear();
    point.assessment = assess(middle.roofline, point);
    middle.points.push_back(std::move(point));
  });
  middle.runs = runs.size();
  return middle;
}

}  // namespace roofline
