#include "bench/sampling/row_rounds.hpp"

#include <algorithm>

#include "bench/machine/core_distance.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/model/statistics.hpp"

namespace roofline {
namespace {

// A roof's sample is as long as the kernel's, within these: shorter ones end before a clock has settled, and longer
// ones tell nothing more.
constexpr double shortest_roof = 2e-3, longest_roof = 5e-3;

Probe& probe_of(std::vector<Probe>& probes, const std::string& ceiling) {
  for (auto& probe : probes)
    if (probe.ceiling == ceiling) return probe;
  return probes.emplace_back(Probe{ceiling});
}

/// Enters a round behind those that are there. Returns its shortest sample.
double enter(const RowRound& found, std::vector<Sample>& samples, std::vector<Probe>& probes) {
  const int number = samples.empty() ? 0 : samples.back().round + 1;
  double shortest = found.samples.front().seconds;
  for (auto sample : found.samples) {
    sample.round = number;
    samples.push_back(sample);
    shortest = std::min(shortest, sample.seconds);
  }
  for (const auto& [ceiling, rates] : found.probes) {
    if (rates.empty()) continue;
    auto& probe = probe_of(probes, ceiling);
    probe.rates.resize(static_cast<std::size_t>(number));  // rounds that had other probes
    probe.samples.resize(static_cast<std::size_t>(number));
    probe.rates.push_back(*std::max_element(rates.begin(), rates.end()));
    probe.samples.push_back(rates);
  }
  return shortest;
}

void enter_elsewhere(const RowRound& found, std::vector<RoundsElsewhere>& all) {
  auto there = std::find_if(all.begin(), all.end(),
                            [&](const auto& place) { return lay_alike(place.core_distance, found.core_distance); });
  if (there == all.end()) there = all.insert(all.end(), {found.core_distance});
  enter(found, there->samples, there->probes);
}

}  // namespace

RowRound sample_between_roofs(const RoundParts& parts) {
  RowRound found;
  const double roof_seconds = std::clamp(parts.seconds, shortest_roof, longest_roof);
  const auto number = parts.roofs.size();
  std::size_t next = 0;
  const auto sample_roofs = [&] {
    for (std::size_t i = 0; i < (parts.guessed ? std::min<std::size_t>(number, 1) : number); ++i) {
      const auto& roof = parts.roofs[next++ % number];
      found.probes[roof].push_back(parts.roof(roof, roof_seconds));
    }
  };
  sample_roofs();
  for (int i = 0; i < parts.samples && !interrupted(); ++i) {
    found.samples.push_back(parts.kernel());
    sample_roofs();
  }
  return found;
}

void RowRounds::put_into(KernelPoint& point, double usual_distance) const {
  const auto is_usual = [&](const RowRound& round) { return lay_alike(round.core_distance, usual_distance); };
  const bool some_are = std::any_of(rounds_.begin(), rounds_.end(), is_usual);
  std::vector<double> best, clocks;
  for (const auto& found : rounds_) {
    if (found.samples.empty()) continue;
    if (some_are && !is_usual(found)) {
      enter_elsewhere(found, point.elsewhere);
      continue;
    }
    best.push_back(enter(found, point.samples, point.probes));
    if (found.clock > 0) clocks.push_back(found.clock);
    point.cpu_seconds = found.cpu_seconds;
  }
  if (best.empty()) return;
  if (!clocks.empty()) point.clock = median(clocks);
  point.time = median_interval(best);
}

}  // namespace roofline
