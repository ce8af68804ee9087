#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "tests/example_results.hpp"

namespace roofline::generated {

/// A run as no machine ever gave it, each seed another one: every optional part is there or not, each number is its
/// own, so that none can stand in the place of another.
class GeneratedRun {
 public:
  explicit GeneratedRun(unsigned seed) : random_(seed) {
    auto ceilings = example::roofline().ceilings();
    for (auto& ceiling : ceilings) {
      if (maybe()) ceiling.theory = ceiling.rate * between(1, 3);
      ceiling.rate *= between(0.5, 2);
      ceiling.rate_low = ceiling.rate * between(0.8, 1), ceiling.rate_high = ceiling.rate * between(1, 1.1);
      ceiling.rate_median = ceiling.rate * between(0.8, 1), ceiling.samples = below(99) + 1;
      ceiling.working_set = below(1 << 30), ceiling.winner = static_cast<std::size_t>(below(30));
    }
    results.roofline = Roofline(std::move(ceilings), 2);
    results.machine.name = "a machine", results.date = "2026-01-31T23:59:59Z", results.command_line = "roofline_bench";
    for (int i = 0, n = below(9); i < n; ++i) results.points.push_back(point(i));
    for (int i = 0, n = below(3); i < n; ++i)
      results.failures.emplace_back(fmt::format("failed/{}", i), fmt::format("reason {}", i));
    if (maybe()) results.warnings = {"one", "two"};
    if (maybe()) results.noise = HostNoise{between(0, 1), between(0, 1)};
    results.interrupted = maybe(), results.rounds = below(7);
    if (results.interrupted && maybe()) results.unreached = {"unreached/0"};
    results.timer = {
        between(1e-9, 1e-8), between(1e-4, 1e-3), "a row", between(1, 9), between(10, 20), {}, 1e-6, 0.001};
    if (maybe())
      results.ert = ErtResult{{{4, 2, "", {{between(1e3, 1e9), 7, between(0, 1), 10, 20}}, maybe(), ""}},
                              between(1e9, 1e12),
                              4,
                              {{MemoryLevel::L2, between(1e9, 1e12), 1, 2}},
                              3};
    for (auto& p : results.points)
      if (below(12) == 0) plant_wrong_side(p.time);
    assess(results);
  }

  Results results;
  int wrong_intervals = 0;  ///< planted

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool maybe() { return below(2) == 0; }
  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  std::optional<double> some(double most) {
    return maybe() ? std::optional(std::floor(between(1, most))) : std::nullopt;
  }
  std::uint64_t count() { return below(4) == 0 ? 0 : random_() >> (20 + below(30)); }

  /// An interval next to its median, on one side of it.
  void plant_wrong_side(Interval& time) {
    if (maybe())
      time.low = 1.01 * time.median;
    else
      time.high = 0.99 * time.median;
    ++wrong_intervals;
  }

  KernelPoint point(int number) {
    KernelPoint p;
    p.family = fmt::format("family{}", below(3)), p.name = fmt::format("{}/n:{}", p.family, number);
    if (maybe()) p.problem = "n:7";
    p.threads = below(4) == 0 ? 1 + 2 * below(2) : 2, p.fma = maybe();
    auto& c = p.counts;
    if (below(5) > 0) c.operations = {count(), count(), count(), count(), count(), count()};
    c.precision = below(4) == 0 ? "fp32" : below(8) == 0 ? "unknown" : "fp64";
    c.operations_source = static_cast<Source>(below(6)), c.traffic_source = static_cast<Source>(below(6));
    if (maybe()) c.executed = Operations{count(), count(), 0, 0};
    for (const auto level : all_memory_levels) {
      if (!maybe()) continue;
      const auto bytes = Traffic{std::floor(between(1e6, 1e9)), std::floor(between(1e6, 1e9))};
      c.at(level) = bytes;
      if (maybe()) c.range[static_cast<std::size_t>(level)] = Span{0.5 * bytes.total(), 1.5 * bytes.total()};
    }
    c.overwritten = some(1e6), c.streamed = some(1e6), c.unpaired = some(1e6), c.split = some(1e6);
    c.gathered = some(1e6), c.regions = some(9), c.evaded = maybe() ? std::floor(between(1, 1e6)) : 0;
    c.gathers_by_instructions = maybe(), c.kinds_known = maybe();
    if (maybe()) c.modelled_device = "host";
    if (maybe()) c.modelled_levels = {MemoryLevel::L2};
    if (maybe()) c.modelled_writes = {MemoryLevel::DRAM};
    if (maybe()) c.traffic_note = "LRU, \"small\"";
    c.instructions = some(1e9), c.cycles = some(1e9);
    if (maybe()) c.details = {{"predication", between(0, 1)}, {"hit_rate_L2", between(0, 1)}, {"registers", 80}};
    if (maybe()) c.counted = {{"DRAM.read", between(1e6, 1e9), some(1e9), some(3), "why"}};
    p.declared_flops = c.operations.flops();
    p.time.median = between(1e-4, 1), p.time.low = p.time.median * between(0.5, 1);
    p.time.high = p.time.median * between(1, 1.5);
    if (below(6) == 0) return p.bound_by = Resource(MemoryLevel::DRAM), p;
    p.in_core = maybe() ? between(1e-5, 1e-4) : 0;
    p.clock = maybe() ? between(1e9, 2e9) : 0, p.watts = maybe() ? between(50, 700) : 0;
    p.joules = 1.05 * p.watts * p.time.median;
    if (maybe())
      p.tuning = "streaming stores", p.trials = {{"plain", between(0, 1)}, {"streaming stores", between(0, 1)}};
    const int rounds = below(7);
    for (int round = 0; round < rounds; ++round)
      for (int i = 0; i < 3; ++i)
        p.samples.push_back({round, between(round, round + 1), p.time.median * between(0.9, 1.1)});
    for (const auto* const ceiling : {"ceiling/bandwidth/DRAM/triad/threads:2", "ceiling/bandwidth/L3/read/threads:2",
                                      "ceiling/flops/fp64/fma/avx512/threads:2"})
      if (rounds > 0 && maybe()) {
        p.probes.push_back({ceiling, {}});
        for (int round = 0; round < rounds; ++round)
          p.probes.back().rates.push_back(named(ceiling).rate * between(0.7, 1));
      }
    return p;
  }

  const Ceiling& named(const std::string& name) const {
    const auto& all = results.roofline.ceilings();
    return *std::find_if(all.begin(), all.end(), [&](const Ceiling& c) { return c.name == name; });
  }

  std::mt19937_64 random_;
};

inline constexpr unsigned seeds = 60;

/// The fastest of the run's ceilings of so many threads for which `chosen` holds.
inline const Ceiling* fastest(const Results& run, int threads, const std::function<bool(const Ceiling&)>& chosen) {
  const Ceiling* best = nullptr;
  for (const auto& c : run.roofline.ceilings())
    if (c.threads == threads && chosen(c) && (!best || c.rate > best->rate)) best = &c;
  return best;
}
inline const Ceiling* fastest_memory(const Results& run, int threads, MemoryLevel level) {
  return fastest(run, threads, [&](const Ceiling& c) {
    return c.kind == Ceiling::Kind::bandwidth && c.level == level && is_roof(c.mix);
  });
}
inline const Ceiling* fastest_unit(const Results& run, int threads, Operation operation, const std::string& precision) {
  return fastest(run, threads, [&](const Ceiling& c) {
    return c.kind == Ceiling::Kind::compute && c.operation == operation && c.precision == precision && c.ilp;
  });
}

}  // namespace roofline::generated
