#include "bench/counters/perf/counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/counters/unavailable.hpp"
#include "bench/machine/clock.hpp"

namespace roofline::perf {

namespace {

using enum CpuQuantity;

struct Direction {
  MemoryLevel level;
  CpuQuantity read, written;
};
constexpr std::array directions{Direction{MemoryLevel::L2, l2_read, l2_written},
                                Direction{MemoryLevel::L3, l3_read, l3_written},
                                Direction{MemoryLevel::DRAM, dram_read, dram_written}};

std::optional<double> modelled_value(CpuQuantity quantity, const Counts& counts) {
  const auto flops = static_cast<double>(counts.operations.flops());
  if (quantity == CpuQuantity::flops) return flops;
  if (quantity == flops_fp64) return counts.precision == "fp64" ? flops : 0;
  if (quantity == flops_fp32) return counts.precision == "fp32" ? flops : 0;
  for (const auto& [level, read, written] : directions)
    if (const auto& traffic = counts.at(level)) {
      if (quantity == read) return traffic->read;
      if (quantity == written) return traffic->written;
    }
  return std::nullopt;
}

std::optional<double> find(const CpuValues& values, CpuQuantity quantity) {
  const auto found = values.find(quantity);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

/// Reads that are as many fewer as lines were overwritten: these were not fetched before. Where that is not known, as
/// many as there are writes.
bool evades_write_allocates(double measured, const Counts& modelled) {
  const auto& [read, written] = *modelled.at(MemoryLevel::DRAM);
  const double overwritten = modelled.overwritten.value_or(written);
  return overwritten > 0 && measured < read && measured > 0.9 * (read - overwritten);
}

void take_traffic(Counts& counts, const CpuValues& values) {
  for (const auto& [level, read, written] : directions) {
    auto& traffic = counts.at(level);
    const auto counted_read = find(values, read), counted_written = find(values, written);
    const bool rest_known = traffic.has_value() || counted_written;
    if (!counted_read || !rest_known) {
      // Writes alone would leave a sum of two kinds of numbers of which the larger part is modelled.
      if (traffic) counts.modelled_levels.push_back(level);
      continue;
    }
    if (!counted_written) counts.modelled_writes.push_back(level);
    traffic = Traffic{*counted_read, counted_written ? *counted_written : traffic->written};
    counts.range[static_cast<std::size_t>(level)].reset();
    // Counted bytes have the neighbours that memory brought with unpaired lines.
    if (level == MemoryLevel::DRAM) counts.overwritten.reset(), counts.unpaired.reset();
  }
}

}  // namespace

std::string difference(CpuQuantity quantity, double measured, const Counts& modelled) {
  const auto expected = modelled_value(quantity, modelled);
  if (!expected || std::abs(measured - *expected) <= 0.2 * *expected) return {};
  const bool less = measured < *expected;
  switch (quantity) {
    case dram_read:
      if (less && evades_write_allocates(measured, modelled))
        return "the CPU wrote whole lines without fetching them first (write-allocates evaded), the model fetches them";
      return less ? "part of the data stayed in the last-level cache from one launch to the next"
                  : "prefetched lines, or other users of the sockets: the memory controllers count their traffic too";
    case dram_written:
      return less ? "dirty lines were still in the caches when the counting ended"
                  : "other users of the sockets, whose traffic the memory controllers count too";
    case l3_written:
      return less ? std::string() : "an L3 that is a victim cache takes clean lines as well";
    case l2_read:
    case l3_read:
      return less ? std::string() : "prefetched lines that the kernel did not use";
    default:
      return {};
  }
}

Counts with_counted(Counts modelled, const CpuValues& values, Source source, const std::string& counter) {
  Counts counts = modelled;
  counts.instructions = find(values, CpuQuantity::instructions), counts.cycles = find(values, CpuQuantity::cycles);
  for (const auto& [quantity, measured] : values) {
    if (!is_flops(quantity) && !is_bytes(quantity)) continue;
    CountedAndModelled pair{std::string(name(quantity)), measured, modelled_value(quantity, modelled), {}};
    if (pair.modelled && *pair.modelled > 0) pair.ratio = measured / *pair.modelled;
    pair.note = difference(quantity, measured, modelled);
    counts.counted.push_back(std::move(pair));
  }
  if (!find(values, l2_read) && !find(values, l3_read) && !find(values, dram_read)) return counts;
  take_traffic(counts, values);
  counts.traffic_source = source;
  // The bytes that the core loads and stores are counted in the source, because CPUs do not count them.
  if (counts.at(MemoryLevel::L1)) counts.modelled_levels.insert(counts.modelled_levels.begin(), MemoryLevel::L1);
  counts.traffic_note = counter + (modelled.traffic_note.empty() ? "" : ", " + modelled.traffic_note);
  return counts;
}

Counter::Counter(std::vector<Formula> formulas, std::shared_ptr<CounterSource> modelled,
                 std::function<void(const std::string&)> warn, Setup setup)
    : formulas_(std::move(formulas)),
      modelled_(std::move(modelled)),
      warn_(std::move(warn)),
      setup_(std::move(setup)) {}

int repetitions(double seconds) {
  constexpr double long_enough = 0.02;
  return static_cast<int>(std::clamp(long_enough / std::max(seconds, 1e-9), 1.0, 10000.0));
}

EventCounts count(const Formula& formula, const Counter::Setup& setup, const std::function<void()>& work) {
  return Group(*setup.system, events_of(formula, setup.devices), setup.threads()).count(work);
}

std::optional<Counts> Counter::count(const std::string& row, const Workload& work) {
  auto modelled = modelled_ ? modelled_->count(row, work) : std::nullopt;
  work.launch();  // the threads exist, the data is where repeated launches find it
  const auto begin = Clock::now();
  work.launch();
  const int times = repetitions(seconds_since(begin));
  CpuValues values;
  const auto refused = [&](const Formula& formula) {
    try {
      const auto events = perf::count(formula, setup_, [&] {
        for (int i = 0; i < times; ++i) work.launch();
      });
      values[formula.quantity] = formula.value(events).value() / times;
      return false;
    } catch (const CountersUnavailable& why) {
      warn_(fmt::format("counter refused: {}: {}", name(formula.quantity), why.what()));
      return true;
    }
  };
  std::erase_if(formulas_, refused);
  if (values.empty()) return modelled;
  return with_counted(modelled.value_or(Counts()), values, Source::hardware,
                      fmt::format("counted by perf at user level, {} launch{}", times, times == 1 ? "" : "es"));
}

}  // namespace roofline::perf
