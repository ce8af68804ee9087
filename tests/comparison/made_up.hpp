#pragma once
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "reporters/comparison/comparison.hpp"
#include "tests/example_results.hpp"

namespace roofline::example {

/// Noise of a run: standard deviations, relative, of times between processes and of ceilings.
struct RunNoise {
  double times = 0.004, ceilings = 0.004;
};

inline constexpr int made_up_rounds = 12;

/// A made-up measured run as one side of a comparison, with samples, on a machine with a fingerprint.
inline Side made_up_side(unsigned seed, const RunNoise& noise = {}) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Side side;
  side.results = results(false);
  auto& run = side.results;
  run.machine.fingerprint = side.fingerprint = "AuthenticAMD 26/2/1, 2 cores, SMT 1, NUMA 1, avx512";
  side.model_hash = "abc", side.compiler = "GNU 12.2.0", side.origin = "made up";
  run.timer.step = 20e-9, run.timer.run_seconds = 25;
  auto ceilings = run.roofline.ceilings();
  for (auto& ceiling : ceilings) {
    const double factor = std::exp(noise.ceilings * normal(random));
    ceiling.rate *= factor, ceiling.rate_low *= factor, ceiling.rate_high *= factor;
  }
  run.roofline = Roofline(std::move(ceilings), run.roofline.threads());
  for (auto& point : run.points) {
    const double median = point.time.median * std::exp(noise.times * normal(random));
    point.samples.clear();
    for (int i = 0; i < made_up_rounds; ++i) point.samples.push_back({i, 0.1 * i, median * (0.9945 + 0.001 * i)});
    // The machine's rates at that time: the ceilings as this run found them.
    point.probes.clear();
    for (const auto* const ceiling : run.roofline.binding(point.counts, point.fma))
      point.probes.push_back({ceiling->name, std::vector<double>(made_up_rounds, ceiling->rate)});
    point.time = {median, median * 0.997, median * 1.003};
  }
  assess(run);
  return side;
}

/// `n` pairs of runs of the same program; `change` makes the new side of each another one.
inline std::vector<SidePair> made_up_pairs(int n, unsigned seed, const std::function<void(Side&)>& change = {},
                                           const RunNoise& noise = {}) {
  std::vector<SidePair> pairs;
  for (int i = 0; i < n; ++i) {
    const auto at = seed * 1000 + 2 * static_cast<unsigned>(i);
    pairs.push_back({made_up_side(at, noise), made_up_side(at + 1, noise)});
    if (change) change(pairs.back().next);
  }
  return pairs;
}

inline KernelPoint& point_named(Side& side, const std::string& name) {
  for (auto& point : side.results.points)
    if (point.name == name) return point;
  throw std::out_of_range(name);
}

/// A launch of the row takes `factor` times as long.
inline void slow_down(Side& side, const std::string& name, double factor) {
  auto& point = point_named(side, name);
  for (auto& sample : point.samples) sample.seconds *= factor;
  point.time = {point.time.median * factor, point.time.low * factor, point.time.high * factor};
}

/// The rate of a level, also next to the rows.
inline void scale_level(Side& side, MemoryLevel level, double factor) {
  auto ceilings = side.results.roofline.ceilings();
  for (auto& ceiling : ceilings)
    if (ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == level)
      ceiling.rate *= factor, ceiling.rate_low *= factor, ceiling.rate_high *= factor;
  for (auto& point : side.results.points)
    for (auto& probe : point.probes)
      if (probe.ceiling.find(std::string("/") + std::string(name(level)) + "/") != std::string::npos)
        for (auto& rate : probe.rates) rate *= factor;
  side.results.roofline = Roofline(std::move(ceilings), side.results.roofline.threads());
}

/// Rows of it that DRAM and the units bound.
inline const std::string triad = "stream/triad/n:33554432", compute_row = "gpp/nw:6/fma:1/stride:1";

/// Twice the operations, 1.2 times the bytes, and code that is 5 % slower. The part that costs time is work if the
/// units bind, traffic if DRAM does.
inline void plant_all_factors(Side& side) {
  for (const auto& name : {triad, compute_row}) {
    auto& counts = point_named(side, name).counts;
    counts.operations += counts.operations;
    for (auto& level : counts.traffic)
      if (level) level->read *= 1.2, level->written *= 1.2;
  }
  slow_down(side, triad, 1.2 * 1.05), slow_down(side, compute_row, 2 * 1.05);
}

inline Verdict verdict(const Comparison& comparison, const std::string& row, const std::string& metric) {
  const auto* const finding = comparison.find(row, metric);
  if (!finding) throw std::out_of_range(row + " " + metric);
  return finding->verdict;
}

}  // namespace roofline::example
