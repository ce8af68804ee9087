#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/model/core_distance.hpp"
#include "bench/run/kernel_phase.hpp"

/// What is asked beside the samples of a kernel: DRAM, the clock, where the cores lie.
namespace roofline {

Beside KernelPhase::beside_of(const Counts& counts, double launch_seconds) {
  const auto& roofline = run_.results.roofline;
  Beside beside;
  if (dram_seconds(roofline, counts) > launch_seconds / 4) beside.pace = dram_pace(counts);
  if (shared_seconds(roofline, counts) > launch_seconds / 10) beside.placement = &run_.placement;
  return beside;
}

namespace {

/// Of the outermost cache that a core has alone; 0: there is none.
double own_cache(const Machine& machine) {
  double size = 0;
  for (const auto& cache : machine.caches)
    if (cache.level != MemoryLevel::L3 && cache.shared_by <= 1) size = static_cast<double>(cache.size);
  return size;
}

}  // namespace

double KernelPhase::in_caches_once(const std::string& row, const Workload& work, const Counts& counts) {
  const bool takes_time = run_.options.quick || run_.turns;
  if (takes_time || !work.in_caches.seconds || work.in_caches.slab_bytes > own_cache(run_.suite.machine())) return 0;
  const auto from_beyond = [&](MemoryLevel level) { return counts.at(level) && counts.at(level)->total() > 0; };
  if (!from_beyond(MemoryLevel::L3) && !from_beyond(MemoryLevel::DRAM)) return 0;  // the row itself is such a launch
  const auto known = in_caches_.find(row);
  if (known != in_caches_.end()) return known->second;
  constexpr int launches = 3;  // disturbances only lengthen them, and without memory little else moves
  double least = work.in_caches.seconds();
  for (int i = 1; i < launches; ++i) least = std::min(least, work.in_caches.seconds());
  return in_caches_[row] = least;
}

std::function<double()> KernelPhase::core_clock() const {
  const auto* const source = ceiling_source(run_.suite.platform());
  if (!source || !source->core_clock) return {};
  return [clock = source->core_clock, threads = run_.suite.threads()] { return clock(threads); };
}

std::function<double()> KernelPhase::dram_pace(const Counts& counts) {
  const auto& results = run_.results;
  const auto& roofline = results.roofline;
  const auto* const ceiling = roofline.is_mostly_of_lone_lines(counts)
                                  ? roofline.bandwidth(MemoryLevel::DRAM, Mix::stride16)
                                  : roofline.matching_dram(counts);
  if (!ceiling || !results.ceilings_origin.of_this_device()) return {};
  std::function<double()> pace;
  try {
    const bool elsewhere = !may_be_same_distance(run_.placement.look(), ceiling->core_distance);
    pace = dram_probe_.pace(*ceiling, elsewhere);
  } catch (const std::invalid_argument&) {
    // without the memory for it, which measuring the ceiling had
  }
  if (!pace) run_.warn_once(fmt::format("{} cannot be measured here: the pace of DRAM was not checked", ceiling->name));
  return pace;
}

void KernelPhase::rescale(const Roofline& before) {
  for (auto& point : run_.results.points) rescale_pace(point, before, run_.results.roofline);
  for (auto& [row, repetitions] : found_)
    for (auto& timed : repetitions) rescale_pace(timed.point, before, run_.results.roofline);
}

}  // namespace roofline
