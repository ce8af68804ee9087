// The counters of Google Benchmark's rows: known values of a ceiling or a kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/model/assessment.hpp"
#include "bench/model/counts.hpp"
#include "bench/storage/google_rows.hpp"

namespace roofline {
namespace {

void put_finite(GoogleRow& row, const std::string& key, double value) {
  if (std::isfinite(value)) row.counters[key] = benchmark::Counter(value);
}

std::string_view rate_key(Ceiling::Kind kind) {
  if (kind == Ceiling::Kind::instructions) return "instructions/s";
  if (kind == Ceiling::Kind::overhead) return "regions/s";
  if (kind == Ceiling::Kind::rate) return "rate";
  return kind == Ceiling::Kind::compute ? "FLOP/s" : "B/s";
}

/// A label's entries are separated by blanks.
std::string one_word(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

}  // namespace

void put_counters(GoogleRow& run, const Ceiling& c) {
  const auto put = [&](const std::string& key, double value) { put_finite(run, key, value); };
  put(std::string(rate_key(c.kind)), c.rate);
  put("rate_low", c.rate_low), put("rate_high", c.rate_high), put("samples", c.samples);
  if (c.theory) put("theory", *c.theory);
  if (c.rate_median > 0) put("rate_median", c.rate_median);
  if (c.clock_begin > 0) put("clock_begin", c.clock_begin);
  if (c.clock_end > 0) put("clock_end", c.clock_end);
  if (c.kind == Ceiling::Kind::bandwidth) {
    put("working_set", c.working_set);
    put("bytes_per_explicit_byte", c.bytes_per_explicit_byte);
  }
  run.report_label = "variant=" + c.variant;
}

void put_counters(GoogleRow& run, const KernelPoint& point) {
  const auto put = [&](const std::string& key, double value) { put_finite(run, key, value); };
  put("flops", static_cast<double>(point.counts.operations.flops()));
  if (point.counts.operations.flops() > 0) put("FLOP/s", point.flop_rate());
  for (const auto level : all_memory_levels) {
    if (const auto& bytes = point.counts.at(level)) {
      put(fmt::format("bytes_{}", name(level)), bytes->total());
      put(fmt::format("bytes_{}_written", name(level)), bytes->written);
    }
    if (const auto& range = point.counts.range[static_cast<std::size_t>(level)]) {
      put(fmt::format("bytes_{}_low", name(level)), range->low);
      put(fmt::format("bytes_{}_high", name(level)), range->high);
    }
    if (level == MemoryLevel::DRAM && point.counts.evaded > 0) put("bytes_DRAM_evaded", point.counts.evaded);
    if (const auto intensity = point.counts.intensity(level); intensity && *intensity > 0)
      put(fmt::format("AI_{}", name(level)), *intensity);
  }
  if (point.counts.streamed) put("bytes_DRAM_streamed", *point.counts.streamed);
  if (point.counts.unpaired) put("bytes_DRAM_unpaired", *point.counts.unpaired);
  if (point.counts.split) put("bytes_L1_split", *point.counts.split);
  if (point.counts.gathered) put("bytes_L1_gathered", *point.counts.gathered);
  if (point.counts.regions) put("regions", *point.counts.regions);
  if (point.counts.kinds_known && point.counts.operations.flops() > 0)
    put("fma_fraction", point.counts.operations.fma_fraction());
  if (point.counts.instructions) put("counted_instructions", *point.counts.instructions);
  if (point.counts.cycles) put("counted_cycles", *point.counts.cycles);
  if (const auto per_cycle = point.counts.instructions_per_cycle()) put("instructions_per_cycle", *per_cycle);
  for (const auto& [key, value] : point.counts.details) put(key, value);
  if (point.is_bound()) {
    put("time_bound", point.time.median);
    put("time_bound_low", point.time.low), put("time_bound_high", point.time.high);
    run.report_label = fmt::format("bound={} flops={} bytes={} time=bound", name(*point.bound_by),
                                   name(point.counts.operations_source), point.counts.traffic_label());
    return;
  }
  put("time_median", point.time.median);
  put("time_ci_low", point.time.low), put("time_ci_high", point.time.high);
  put("time_min", point.least_seconds());
  if (point.rounds() > 0) put("rounds", point.rounds());
  if (point.in_core > 0) put("time_in_core", point.in_core);
  if (point.clock > 0) put("clock_hz", point.clock);
  if (point.watts > 0) put("power_watt", point.watts), put("energy_joule", point.joules);
  if (point.counts.kinds_known) {
    const auto& o = point.counts.operations;
    put("add", static_cast<double>(o.add)), put("mul", static_cast<double>(o.mul));
    put("fma", static_cast<double>(o.fma)), put("div", static_cast<double>(o.div));
  }
  const auto& roof = point.assessment.roof;
  const auto& mix = point.assessment.mix;
  if (roof && roof->attainable) put("attainable", *roof->attainable);
  if (mix && mix->attainable) put("attainable_mix", *mix->attainable);
  if (roof) put("efficiency", roof->efficiency);
  if (roof && roof->range) {
    put("efficiency_low", roof->range->low), put("efficiency_high", roof->range->high);
    put("resolved", roof->resolved());
  }
  if (mix) put("efficiency_mix", mix->efficiency);
  run.report_label = fmt::format("bound={} flops={} bytes={}", roof ? name(roof->bound) : "-",
                                 name(point.counts.operations_source), point.counts.traffic_label());
  if (mix) run.report_label += " bound_mix=" + one_word(name(mix->bound));
  if (!point.tuning.empty()) run.report_label += " tuning=" + one_word(point.tuning);
}

}  // namespace roofline
