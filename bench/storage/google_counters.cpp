// The counters of Google Benchmark's rows: known values of a ceiling or a kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/storage/google_rows.hpp"
#include "bench/storage/row_columns.hpp"

namespace roofline {
namespace {

void put_finite(GoogleRow& row, const std::string& key, double value) {
  if (std::isfinite(value)) row.counters[key] = benchmark::Counter(value);
}

/// A label's entries are separated by blanks.
std::string one_word(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

}  // namespace

void put_counters(GoogleRow& run, const Ceiling& c) {
  const auto put = [&](const std::string& key, double value) { put_finite(run, key, value); };
  put(std::string(facts(c.kind).unit), c.rate);
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
  stored::each_number(point, [&](const stored::RowColumn& column, double value) {
    if (const std::string name = column.counter ? column.counter : column.name; !name.empty())
      put_finite(run, name, value);
  });
  for (const auto& [key, value] : point.counts.details) put_finite(run, key, value);
  const auto sources =
      fmt::format("flops={} bytes={}", name(point.counts.operations_source), point.counts.traffic_label());
  if (point.is_bound()) {
    run.report_label = fmt::format("bound={} {} time=bound", name(*point.bound_by), sources);
    return;
  }
  const auto& [roof, mix, in_core] = point.assessment;
  run.report_label = fmt::format("bound={} {}", roof ? name(roof->bound) : "-", sources);
  if (mix) run.report_label += " bound_mix=" + one_word(name(mix->bound));
  if (!point.tuning.empty()) run.report_label += " tuning=" + one_word(point.tuning);
}

}  // namespace roofline
