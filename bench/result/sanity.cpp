#include "bench/result/sanity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/model/assessment.hpp"
#include "bench/result/sanity_meter.hpp"
#include "bench/text/format.hpp"

namespace roofline {
namespace {

using Verdict = SanityCheck::Verdict;

/// Only reads are compared, because writes of a level may bypass the others (streaming stores). On a CPU the bytes of
/// L1 are the source's loads, which lines of the next level can exceed.
SanityCheck bytes_fall(const Results& results) {
  const bool in_sectors = results.gpu || (results.model && results.model->gpu);
  // A GPU's L2 fetches pieces of two sectors from DRAM, of which a sparse access asks for one: up to twice the bytes,
  // as the shipped devices show for GSRB with 7 points (1.10).
  auto check = SanityMeter("bytes_by_level", "bytes read from a level / from the nearer one",
                           in_sectors ? "<= 1.02, for DRAM in pieces of two sectors <= 2.04" : "<= 1.02")
                   .deterministic();
  for (const auto& point : results.points) {
    std::optional<double> nearer;
    for (const auto level : memory_levels) {
      const auto& traffic = point.counts.at(level);
      if (!traffic || (level == MemoryLevel::L1 && !in_sectors)) continue;
      const double pieces = in_sectors && level == MemoryLevel::DRAM ? 2 : 1;
      if (nearer && *nearer > 0)
        check.see(traffic->read / *nearer / pieces, fmt::format("{}, {}", point.name, name(level)));
      nearer = traffic->read;
    }
  }
  return std::move(check).judged(1.02);
}

SanityCheck flops_as_declared(const Results& results) {
  // By software a miscount of one operation is a fault; by hardware some instructions are of no operation.
  const auto by_counters = [](const auto& pair) { return pair.quantity.starts_with("flops") && pair.ratio; };
  const bool counters = std::any_of(results.points.begin(), results.points.end(), [&](const KernelPoint& p) {
    const auto& beside = p.counts.counted;
    return p.counts.operations_source == Source::hardware || std::any_of(beside.begin(), beside.end(), by_counters);
  });
  auto check =
      SanityMeter("flops_as_declared", "counted FLOPs against declared ones, deviation", counters ? "<= 1 %" : "= 0 %")
          .relative()
          .deterministic();
  for (const auto& point : results.points) {
    const auto declared = static_cast<double>(point.declared_flops);
    const auto counted = static_cast<double>(point.counts.operations.flops());
    const bool hardware = point.counts.operations_source == Source::hardware;
    // An instruction counter may see some that belong to no operation of the source.
    for (const auto& pair : point.counts.counted)
      if (by_counters(pair))
        check.see(std::abs(*pair.ratio - 1), fmt::format("{}, {} by counters", point.name, pair.quantity));
    if (declared > 0)
      check.see(std::abs(counted / declared - 1), point.name);
    else
      check.see(hardware && counted <= 10 ? 0 : counted, point.name);
  }
  return std::move(check).judged(counters ? 0.01 : 0);
}

SanityCheck below_roof(const Results& results) {
  auto check = SanityMeter("kernel_below_roof", "share of a roof, the lower end of its range", "<= 103 %").relative();
  for (const auto& point : results.points)
    if (const double share = highest_share(point.assessment); share > 0) check.see(share, point.name);
  return std::move(check).judged(at_roof_limit);
}

SanityCheck well_above_timer(const Results& results) {
  SanityMeter check("samples_above_timer_step", "shortest sample / step of the timer", ">= 1000", SanityMeter::is_less);
  if (results.timer.step > 0 && results.timer.shortest_sample > 0)
    check.see(results.timer.shortest_sample / results.timer.step, results.timer.shortest_row);
  return std::move(check).judged(1000);
}

SanityCheck intervals_in_order(const Results& results) {
  SanityMeter check("intervals_hold_medians", "rows with a median outside of their interval", "= 0");
  double wrong = 0;
  std::string where;
  const auto see = [&](const std::string& row, double low, double median, double high) {
    if (std::isfinite(low) && std::isfinite(high) && 0 < low && low <= median && median <= high) return;
    wrong += 1, where = row;
  };
  for (const auto& p : results.points)
    if (p.time.high > 0 || p.counts.operations_source != Source::emulated)  // else it was counted and not timed
      see(p.name, p.time.low, p.time.median, p.time.high);
  for (const auto& c : results.roofline.ceilings())
    if (c.samples > 0) see(c.name, c.rate_low, c.rate, c.rate_high);
  if (!results.points.empty() || !results.roofline.empty()) check.see(wrong, where);
  return std::move(check).judged(0);
}

SanityCheck time_adds_up(const Results& results) {
  SanityMeter check("samples_within_run", "time of all samples / time of the run", "<= 1.001");
  // Two clocks have nothing to add up to.
  if (results.timer.run_seconds > 0 && results.times_note.empty())
    check.see(results.timer.sampled_seconds / results.timer.run_seconds, "");
  return std::move(check).judged(1.001);
}

SanityCheck verified(const Results& results) {
  auto check = SanityMeter("rows_verified", "rows that failed verification, or have no result", "= 0").deterministic();
  if (!results.points.empty() || !results.failures.empty())
    check.see(static_cast<double>(results.failures.size()), results.failures.empty() ? "" : results.failures[0].first);
  return std::move(check).judged(0);
}

SanityCheck linear_in_size(const Results& results) {
  auto check =
      SanityMeter("time_grows_with_work", "times of 1 to 4 times the same work, deviation from their ratios", "<= 10 %")
          .relative();
  if (results.timer.nonlinearity) check.see(*results.timer.nonlinearity, "");
  return std::move(check).judged(0.1, INFINITY);
}

SanityCheck known_time(const Results& results) {
  auto check = SanityMeter("known_time", "a known time, as the timer sees it, deviation", "<= 1 %").relative();
  if (results.timer.known_time_error) check.see(*results.timer.known_time_error, "");
  return std::move(check).judged(0.01);
}

}  // namespace

std::string value_text(const SanityCheck& check) {
  if (!check.value || !std::isfinite(*check.value) || !check.relative) return significant(check.value);
  return significant(100 * *check.value) + " %";
}

std::vector<SanityCheck> sanity_checks(const Results& results) {
  if (results.model) return {bytes_fall(results)};  // nothing else in it was measured
  return {bandwidths_agree(results),   compute_ceilings_plausible(results),
          dram_below_theory(results),  bytes_fall(results),
          flops_as_declared(results),  below_roof(results),
          linear_in_size(results),     well_above_timer(results),
          intervals_in_order(results), time_adds_up(results),
          verified(results),           known_time(results)};
}

bool any_failed(const std::vector<SanityCheck>& checks) {
  return std::any_of(checks.begin(), checks.end(), [](const auto& check) { return check.verdict == Verdict::fail; });
}

Table sanity_table(const Results& results) {
  Table table{"Sanity checks", table_columns("<|<check|value|<limit|<verdict|<where")};
  for (const auto& check : results.checks)
    table.rows.push_back(
        {{check.id, check.what, value_text(check), check.limit, std::string(name(check.verdict)), check.where}});
  return table;
}

Table sanity_summary(const Results& results) {
  const auto& checks = results.checks;
  const auto count = [&](Verdict verdict) {
    return std::count_if(checks.begin(), checks.end(), [&](const auto& check) { return check.verdict == verdict; });
  };
  const auto applicable = static_cast<long>(checks.size()) - count(Verdict::not_applicable);
  Table summary{"Sanity checks", {}, {}, {}};
  if (applicable == 0) return summary;
  summary.notes.push_back(fmt::format("{} of {} ok (all: efficiency.md)", count(Verdict::ok), applicable));
  for (const auto& check : checks)
    if (check.verdict == Verdict::warn || check.verdict == Verdict::fail)
      summary.notes.push_back(fmt::format("{} {}: {}: {}, limit {}{}", check.id, name(check.verdict), check.what,
                                          value_text(check), check.limit,
                                          check.where.empty() ? "" : " (" + check.where + ")"));
  return summary;
}

}  // namespace roofline
