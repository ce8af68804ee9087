#include "bench/run/physics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"

namespace roofline {
namespace {

using Verdict = PhysicsCheck::Verdict;

/// A check under way: keeps the worst value that it is shown, and where.
class Check {
 public:
  /// `worse` says whether a value is further off than another.
  Check(std::string id, std::string what, std::string limit, bool (*worse)(double, double) = is_greater)
      : check_{.id = std::move(id), .what = std::move(what), .limit = std::move(limit)}, worse_(worse) {}

  static bool is_greater(double a, double b) { return a > b; }
  static bool is_less(double a, double b) { return a < b; }

  void see(double value, const std::string& where) {
    if (check_.value && !std::isnan(value) && (std::isnan(*check_.value) || !worse_(value, *check_.value))) return;
    check_.value = value, check_.where = where;
  }

  /// Ok up to `warn_at`, a warning up to `fail_at`; beyond, and when it is not a number, it fails.
  PhysicsCheck judged(double warn_at, double fail_at) && {
    if (!check_.value) return std::move(check_);
    const double value = *check_.value;
    check_.verdict = !std::isfinite(value)     ? Verdict::fail
                     : !worse_(value, warn_at) ? Verdict::ok
                     : !worse_(value, fail_at) ? Verdict::warn
                                               : Verdict::fail;
    return std::move(check_);
  }
  PhysicsCheck judged(double fail_at) && { return std::move(*this).judged(fail_at, fail_at); }

  /// The value is a change or a share.
  Check relative() && {
    check_.relative = true;
    return std::move(*this);
  }

  PhysicsCheck without_value(std::string why) && {
    check_.where = std::move(why);
    return std::move(check_);
  }

 private:
  PhysicsCheck check_;
  bool (*worse_)(double, double);
};

constexpr double infinite = INFINITY;

/// Several conditions under one number: the one that is furthest off speaks for all.
PhysicsCheck worst_of(std::vector<PhysicsCheck> checks) {
  const auto severity = [](const PhysicsCheck& check) {
    return check.verdict == Verdict::not_applicable ? -1 : static_cast<int>(check.verdict);
  };
  return *std::max_element(checks.begin(), checks.end(),
                           [&](const auto& a, const auto& b) { return severity(a) < severity(b); });
}

PhysicsCheck level_order(const Results& results) {
  Check check("P1", "read bandwidth of a level / of the nearer one", "<= 1.03");
  const Ceiling* nearer = nullptr;
  for (const auto level : memory_levels) {
    const auto* const read = results.roofline.bandwidth(level, "read");
    if (!read) continue;
    if (nearer) check.see(read->rate / nearer->rate, read->name);
    nearer = read;
  }
  return std::move(check).judged(1.03);
}

/// In lines moved, no stride should beat reading all of them: where one does, memory changed its speed in between or
/// the read ceiling is not the best. Scalar strided loads were up to 1.6 times as fast on a Zen 5, hence the wide
/// limit.
PhysicsCheck strides_below_reads(const Results& results) {
  Check check("P1", "strided reads of DRAM / unit-stride reads", "<= 1.05, fails above 2.00");
  const auto* const read = results.roofline.bandwidth(MemoryLevel::DRAM, "read");
  for (const auto& c : results.roofline.ceilings())
    if (read && c.kind == Ceiling::Kind::bandwidth && c.level == MemoryLevel::DRAM && c.threads == read->threads &&
        !c.sustained && c.mix.rfind("stride:", 0) == 0)
      check.see(c.rate / read->rate, c.name);
  return std::move(check).judged(1.05, 2);
}

PhysicsCheck bandwidths_agree(const Results& results) {
  return worst_of({level_order(results), strides_below_reads(results)});
}

PhysicsCheck below_theory(const Results& results) {
  Check check("P2", "compute ceiling / units x lanes x measured clock", "<= 1.02");
  for (const auto& ceiling : results.roofline.ceilings())
    if (ceiling.kind == Ceiling::Kind::compute && ceiling.theory)
      check.see(ceiling.rate / *ceiling.theory, ceiling.name);
  return std::move(check).judged(1.02);
}

/// A roof far below theory is no error of arithmetic, but hardly the machine's best: it was measured while disturbed.
PhysicsCheck roofs_near_theory(const Results& results) {
  Check check("P2", "compute roof / units x lanes x measured clock", ">= 0.70, fails below 0.50", Check::is_less);
  for (const auto operation : {Operation::fma, Operation::nofma})
    if (const auto* const roof = results.roofline.compute(operation); roof && roof->theory)
      check.see(roof->rate / *roof->theory, roof->name);
  return std::move(check).judged(0.7, 0.5);
}

/// An FMA is at least as fast as what it replaces; equal to a pair of MUL and ADD where additions have their own units.
PhysicsCheck fma_is_fastest(const Results& results) {
  Check check("P2", "FMA ceiling / those without FMA", ">= 0.98, fails below 0.95", Check::is_less);
  const auto& ceilings = results.roofline.ceilings();
  const auto plain = [](const Ceiling& c) { return c.kind == Ceiling::Kind::compute && c.ilp && !c.sustained; };
  for (const auto& fma : ceilings) {
    if (!plain(fma) || fma.operation != Operation::fma) continue;
    for (const auto& other : ceilings)
      if (plain(other) && other.isa == fma.isa && other.precision == fma.precision && other.threads == fma.threads &&
          (other.operation == Operation::nofma || other.operation == Operation::add ||
           other.operation == Operation::mul))
        check.see(fma.rate / other.rate, fma.name);
  }
  return std::move(check).judged(0.98, 0.95);
}

PhysicsCheck compute_ceilings_plausible(const Results& results) {
  return worst_of({below_theory(results), roofs_near_theory(results), fma_is_fastest(results)});
}

PhysicsCheck dram_below_theory(const Results& results) {
  Check check("P3", "DRAM bandwidth / bus width x rate", "<= 1.00");
  const auto* const dram = results.roofline.bandwidth(MemoryLevel::DRAM);
  if (!dram || !dram->theory) return std::move(check).without_value("the memory's rate is not known");
  check.see(dram->rate / *dram->theory, dram->name);
  return std::move(check).judged(1.0);
}

/// Reads only: what a level writes may bypass the others (streaming stores). On a CPU the bytes of L1 are what the
/// source loads, which lines of the next level can exceed.
PhysicsCheck bytes_fall(const Results& results) {
  Check check("P4", "bytes read from a level / from the nearer one", "<= 1.02");
  const bool in_sectors = results.gpu || (results.model && results.machine.caches.empty());
  for (const auto& point : results.points) {
    std::optional<double> nearer;
    for (const auto level : memory_levels) {
      const auto& traffic = point.counts.at(level);
      if (!traffic || (level == MemoryLevel::L1 && !in_sectors)) continue;
      if (nearer && *nearer > 0) check.see(traffic->read / *nearer, fmt::format("{}, {}", point.name, name(level)));
      nearer = traffic->read;
    }
  }
  return std::move(check).judged(1.02);
}

PhysicsCheck flops_as_declared(const Results& results) {
  const bool counters = std::any_of(results.points.begin(), results.points.end(), [](const KernelPoint& p) {
    return p.counts.operations_source == Source::hardware;
  });
  auto check = Check("P5", "counted FLOPs against declared ones, deviation", counters ? "<= 1 %" : "= 0 %").relative();
  for (const auto& point : results.points) {
    const auto declared = static_cast<double>(point.declared_flops);
    const auto counted = static_cast<double>(point.counts.operations.flops());
    const bool hardware = point.counts.operations_source == Source::hardware;
    // An instruction counter may see some that belong to no operation of the source.
    if (declared > 0)
      check.see(std::abs(counted / declared - 1), point.name);
    else
      check.see(hardware && counted <= 10 ? 0 : counted, point.name);
  }
  return std::move(check).judged(counters ? 0.01 : 0);
}

PhysicsCheck below_roof(const Results& results) {
  auto check =
      Check("P6", "rate of a kernel, of its roof", "<= 103 % (or 100 % + 2 x its +-%), fails above 105 %").relative();
  bool at_roof = false;
  for (const auto& point : results.points) {
    const auto [roof, mix] = assess(results.roofline, point);
    if (!roof && !mix) continue;
    const double most = std::max(roof ? roof->efficiency : 0, mix ? mix->efficiency : 0);
    check.see(most, point.name);
    at_roof = at_roof || most > 1 + std::max(0.03, 2 * point.time.relative_half_width());
  }
  auto judged = std::move(check).judged(at_roof_limit);
  if (judged.verdict == Verdict::ok && at_roof) judged.verdict = Verdict::warn;
  return judged;
}

PhysicsCheck no_drift(const Results& results) {
  auto check = Check("P9", "ceilings measured again at the end, change", "<= 3 %, fails above 5 %").relative();
  for (const auto& [ceiling, drift] : results.drifts) check.see(std::abs(drift), ceiling);
  return std::move(check).judged(0.03, 0.05);
}

PhysicsCheck turns_agree(const Results& results) {
  auto check = Check("P10", "second turn of a kernel, change beyond both intervals", "<= 3 %").relative();
  for (const auto& point : results.points) {
    if (!point.turns) continue;
    const auto& [first, second] = *point.turns;
    const bool overlap = first.low <= second.high && second.low <= first.high;
    check.see(overlap ? 0 : std::abs(second.median / first.median - 1), point.name);
  }
  return std::move(check).judged(0.03, infinite);
}

PhysicsCheck well_above_timer(const Results& results) {
  Check check("P11", "shortest sample / step of the timer", ">= 1000", Check::is_less);
  if (results.timer.step > 0 && results.timer.shortest_sample > 0)
    check.see(results.timer.shortest_sample / results.timer.step, results.timer.shortest_row);
  return std::move(check).judged(1000);
}

PhysicsCheck undisturbed(const Results& results) {
  auto check = Check("P12", "disturbed samples of a kernel, share", "<= 20 %").relative();
  for (const auto& point : results.points) check.see(point.contaminated, point.name);
  return std::move(check).judged(contamination_limit);
}

PhysicsCheck intervals_in_order(const Results& results) {
  Check check("P13", "rows whose interval does not hold their median", "= 0");
  double wrong = 0;
  std::string where;
  const auto look = [&](const std::string& row, double low, double median, double high) {
    if (std::isfinite(low) && std::isfinite(high) && 0 < low && low <= median && median <= high) return;
    wrong += 1, where = row;
  };
  for (const auto& p : results.points) look(p.name, p.time.low, p.time.median, p.time.high);
  for (const auto& c : results.roofline.ceilings())
    if (c.samples > 0) look(c.name, c.rate_low, c.rate, c.rate_high);
  if (!results.points.empty() || !results.roofline.empty()) check.see(wrong, where);
  return std::move(check).judged(0);
}

PhysicsCheck time_adds_up(const Results& results) {
  Check check("P14", "time of all samples / time of the run", "<= 1.001");
  if (results.timer.run_seconds > 0) check.see(results.timer.sampled_seconds / results.timer.run_seconds, "");
  return std::move(check).judged(1.001);
}

PhysicsCheck verified(const Results& results) {
  Check check("P15", "rows that failed verification, or have no result", "= 0");
  if (!results.points.empty() || !results.failures.empty())
    check.see(static_cast<double>(results.failures.size()), results.failures.empty() ? "" : results.failures[0].first);
  return std::move(check).judged(0);
}

PhysicsCheck known_time(const Results& results) {
  auto check = Check("P16", "a known time, as the timer sees it, deviation", "<= 1 %").relative();
  if (results.timer.known_time_error) check.see(*results.timer.known_time_error, "");
  return std::move(check).judged(0.01);
}

}  // namespace

std::string value_text(const PhysicsCheck& check) {
  if (!check.value || !std::isfinite(*check.value) || !check.relative) return significant(check.value);
  return significant(100 * *check.value) + " %";
}

std::vector<PhysicsCheck> physics_checks(const Results& results) {
  if (results.model) return {bytes_fall(results)};  // nothing else in it was measured
  return {bandwidths_agree(results),   compute_ceilings_plausible(results),
          dram_below_theory(results),  bytes_fall(results),
          flops_as_declared(results),  below_roof(results),
          no_drift(results),           turns_agree(results),
          well_above_timer(results),   undisturbed(results),
          intervals_in_order(results), time_adds_up(results),
          verified(results),           known_time(results)};
}

bool any_failed(const std::vector<PhysicsCheck>& checks) {
  return std::any_of(checks.begin(), checks.end(), [](const auto& check) { return check.verdict == Verdict::fail; });
}

Table physics_table(const Results& results) {
  Table table{"Physics checks",
              {{"", false}, {"check", false}, {"value"}, {"limit", false}, {"verdict", false}, {"where", false}},
              {},
              {}};
  for (const auto& check : physics_checks(results))
    table.rows.push_back(
        {{check.id, check.what, value_text(check), check.limit, std::string(name(check.verdict)), check.where}});
  return table;
}

Table physics_summary(const Results& results) {
  const auto checks = physics_checks(results);
  const auto count = [&](Verdict verdict) {
    return std::count_if(checks.begin(), checks.end(), [&](const auto& check) { return check.verdict == verdict; });
  };
  const auto applicable = static_cast<long>(checks.size()) - count(Verdict::not_applicable);
  Table summary{"Physics checks", {}, {}, {}};
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
