#include <fmt/format.h>

#include <chrono>

#include "bench/run/rounds.hpp"

namespace roofline {
namespace {

constexpr std::size_t most_kept_counts = 500;  // many sizes were tried beyond that

/// Another row of each run is counted anew.
std::size_t minutes_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::size_t>(std::chrono::duration_cast<std::chrono::minutes>(now).count());
}

}  // namespace

Counts counts_of_formula(std::uint64_t flops) {
  Counts counts;
  counts.operations = {.add = flops % 2, .fma = flops / 2};
  counts.kinds_known = false;
  counts.operations_source = Source::analytic;
  return counts;
}

void Rounds::count(KernelRow& row) {
  if (row.counted) return;
  if (!counted_last_ && run_.records.was("verified", row.name())) {
    row.point.counts = run_.records.kernel(row.name())->counts;
    row.counted = true;
    return;
  }
  const auto& work = work_of(row);
  const auto key = key_of(row.point, run_.suite.seed());
  if (const auto kept = kept_counts_.find(key); kept != kept_counts_.end()) {
    row.point.counts = kept->second;
    row.counted = true;
    return;
  }
  auto& counts = row.point.counts = counter_->count(row.name(), work).value_or(counts_of_formula(work.declared_flops));
  row.counted = true;
  // Whatever else it executes, a build without FMA has none.
  if (auto& kinds = counts.operations; !counts.kinds_known && !row.variant().fma)
    kinds = {.add = kinds.flops() - kinds.flops() / 2, .mul = kinds.flops() / 2};
  if (counter_->repeats()) kept_counts_[key] = counts;
}

void Rounds::take_kept_counts() {
  if (!counter_ || !counter_->repeats()) return;
  try {
    kept_counts_ = kept_counts(run_.suite.machine(), run_.suite.threads());
  } catch (const std::exception& error) {
    run_.warn(fmt::format("the kept counts are damaged, so all rows are counted anew: {}", error.what()));
  }
}

void Rounds::keep_own_counts() {
  if (!counter_ || !counter_->repeats()) return;
  if (kept_counts_.size() > most_kept_counts) {
    KeptCounts of_this_run;
    for (const auto& row : rows_)
      if (row.counted) of_this_run[key_of(row.point, run_.suite.seed())] = row.point.counts;
    kept_counts_ = std::move(of_this_run);
  }
  keep_counts(kept_counts_, run_.suite.machine(), run_.suite.threads());
}

void Rounds::test_kept_counts(const std::vector<KernelRow*>& rows) {
  if (kept_counts_.empty() || rows.empty()) return;
  auto& row = *rows[minutes_since_1970() % rows.size()];
  if (!run_.records.missing(row.name()).empty() || run_.records.was("verified", row.name())) return;
  run_.records.begin(row.name());
  guarded(row, [&] {
    work_of(row);
    const auto kept = kept_counts_.extract(key_of(row.point, run_.suite.seed()));
    if (kept.empty()) return;
    count(row);
    if (agree(row.point.counts, kept.mapped())) return;
    run_.warn(fmt::format("{} has other counts than those that were kept, so all rows are counted anew", row.name()));
    kept_counts_ = {{kept.key(), row.point.counts}};
  });
  row.release();  // rows share arrays, so it is set up again in its turn
}

}  // namespace roofline
