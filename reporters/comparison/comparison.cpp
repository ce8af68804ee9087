#include "reporters/comparison/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "bench/machine/core_distance.hpp"
#include "bench/model/assessment.hpp"
#include "bench/model/roofline.hpp"
#include "bench/text/clean.hpp"
#include "reporters/comparison/judging.hpp"
#include "reporters/comparison/outputs.hpp"

namespace roofline {
namespace {

using judging::PairedRow;

/// Every kernel of any run, in the order of the first base run, then what only others have.
std::vector<PairedRow> paired_rows(const std::vector<SidePair>& pairs) {
  std::vector<PairedRow> rows;
  std::map<std::string, std::size_t> at;
  const auto place = [&](std::size_t pair, const KernelPoint& point, bool base) {
    const auto [found, added] = at.emplace(point.name, rows.size());
    if (added)
      rows.push_back({point.name, std::vector<std::pair<const KernelPoint*, const KernelPoint*>>(pairs.size())});
    auto& points = rows[found->second].points[pair];
    (base ? points.first : points.second) = &point;
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (const auto& point : pairs[i].base.results.points) place(i, point, true);
    for (const auto& point : pairs[i].next.results.points) place(i, point, false);
  }
  return rows;
}

std::string described(const Side& side) {
  const auto& results = side.results;
  const auto& name = results.model ? results.model->device : results.gpu ? results.gpu->name : results.machine.name;
  return side.fingerprint.empty() ? name : name + " (" + side.fingerprint + ")";
}

/// The finding on a row whose runs have several sizes, as far as they tell; absent: the row is compared.
std::optional<Finding> other_problem(const PairedRow& row, bool same_machine) {
  std::set<std::string_view> of_base, of_next;
  for (const auto& [base, next] : row.points) {
    if (base && !base->problem.empty()) of_base.insert(base->problem);
    if (next && !next->problem.empty()) of_next.insert(next->problem);
  }
  Finding finding{row.name, "problem", MetricClass::validity};
  finding.pairs = static_cast<int>(row.points.size());
  if (const auto& several = of_base.size() > 1 ? of_base : of_next; several.size() > 1) {
    finding.verdict = Verdict::invalid;
    finding.why = fmt::format("runs of one side have other sizes: {}", fmt::join(several, ", "));
  } else if (!of_base.empty() && !of_next.empty() && of_base != of_next) {
    // On one machine a new build may have changed its default, which a gate must not pass over.
    finding.verdict = same_machine ? Verdict::undecided : Verdict::not_comparable;
    finding.why = fmt::format("another size: {} -> {}", *of_base.begin(), *of_next.begin());
  } else {
    return std::nullopt;
  }
  return finding;
}

/// Why times cannot be compared; absent when they can.
std::optional<std::string> other_machine(const std::vector<SidePair>& pairs) {
  const auto& first = pairs.front().base;
  for (const auto& pair : pairs)
    for (const auto* const side : {&pair.base, &pair.next}) {
      if (side->fingerprint.empty()) return fmt::format("{} does not say which machine it is of", side->origin);
      if (side->fingerprint != first.fingerprint || side->results.machine.name != first.results.machine.name)
        return fmt::format("another machine: {} and {}", described(first), described(*side));
      if (side->results.roofline.threads() != first.results.roofline.threads())
        return fmt::format("other numbers of threads: {} and {}", first.results.roofline.threads(),
                           side->results.roofline.threads());
    }
  return std::nullopt;
}

void note_soft_differences(const std::vector<SidePair>& pairs, std::vector<std::string>& notes) {
  const auto &base = pairs.front().base, &next = pairs.front().next;
  const auto differ = [&](const char* what, const std::string& before, const std::string& after) {
    if (before != after)
      notes.push_back(fmt::format("{} differs: {} -> {}", what, before.empty() ? "unknown" : before,
                                  after.empty() ? "unknown" : after));
  };
  differ("the compiler", base.compiler, next.compiler);
  differ("the suite's version", base.suite_version, next.suite_version);
  if (!base.context.empty() && !next.context.empty()) {
    auto keys = base.context;
    keys.insert(next.context.begin(), next.context.end());
    const auto value = [](const Side& side, const std::string& key) {
      const auto found = side.context.find(key);
      return found == side.context.end() ? std::string() : clean(found->second.substr(0, 80));
    };
    for (const auto& [key, any] : keys) differ(clean(key).c_str(), value(base, key), value(next, key));
  }
  differ("huge pages", base.results.machine.huge_pages, next.results.machine.huge_pages);
  const auto evaded = [](const Side& side) { return side.results.stores ? side.results.stores->evaded : 0.0; };
  if (evaded(base) != evaded(next))
    notes.push_back(
        fmt::format("stores evade reading {:.0f} % -> {:.0f} % of the lines that they overwrite: bytes of DRAM are "
                    "compared as if all were read",
                    100 * evaded(base), 100 * evaded(next)));
  if (const double was = base.results.core_distance, is = next.results.core_distance; !lay_alike(was, is))
    notes.push_back(
        fmt::format("the host placed the cores differently: a cache line took {:.0f} ns from core to core, and takes "
                    "{:.0f} ns: rows are compared by rounds whose cores lay alike, or else with the drift that such "
                    "runs have shown",
                    1e9 * was, 1e9 * is));
  if (base.times_only || next.times_only)
    notes.push_back("a side is of Google Benchmark without a roofline: times are compared, and nothing else");
  const auto bounds = [](const Side& side) {
    return std::any_of(side.results.points.begin(), side.results.points.end(),
                       [](const KernelPoint& point) { return point.is_bound(); });
  };
  if (bounds(base) || bounds(next)) notes.push_back("a modelled run has no times: nothing was measured");
}

std::vector<TimeChange> time_changes(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                                     const std::vector<Finding>& findings) {
  std::map<std::string_view, std::size_t> of_time;
  for (std::size_t i = 0; i < findings.size(); ++i)
    if (findings[i].metric == "time") of_time[findings[i].row] = i;
  std::vector<TimeChange> changes;
  for (const auto& row : rows) {
    const auto found = of_time.find(row.name);
    if (found == of_time.end()) continue;
    const auto& finding = findings[found->second];
    if (!finding.base || !finding.next) continue;
    TimeChange change{
        .row = row.name, .base = *finding.base, .next = *finding.next, .factors = {}, .finding = found->second};
    const auto& base = pairs.front().base;
    if (finding.verdict != Verdict::not_comparable && finding.ratio)
      change.factors = factors_of(base.results.roofline, {&row.base()->counts, change.base},
                                  {&row.next()->counts, change.base * finding.ratio->estimate});
    changes.push_back(std::move(change));
  }
  return changes;
}

/// Least time of counts; without ceilings FLOPs or outermost bytes in its place, of which only ratios are used.
std::optional<LeastTime> price(const Roofline& roofline, const Counts& counts, bool by_bytes) {
  if (auto least = least_time(roofline, counts, counts.executed.value_or(counts.operations));
      least && least->seconds > 0)
    return least;
  if (const auto flops = counts.operations.flops(); flops && !by_bytes)
    return LeastTime{static_cast<double>(flops), Resource::Kind::flops};
  if (const auto level = outermost_level(counts))
    if (const double bytes = counts.at(*level)->total(); bytes > 0) return LeastTime{bytes, *level};
  return std::nullopt;
}

double ratio(double next, double base) {
  const double value = next / base;
  return std::isfinite(value) && value > 0 ? value : 1;
}

}  // namespace

int Comparison::count(Verdict verdict) const {
  return static_cast<int>(std::count_if(findings.begin(), findings.end(), [&](const auto& finding) {
    return finding.verdict == verdict && !finding.informational;
  }));
}

const Finding* Comparison::find(std::string_view row, std::string_view metric) const {
  for (const auto& finding : findings)
    if (finding.row == row && finding.metric == metric) return &finding;
  return nullptr;
}

Comparison compare(const std::vector<SidePair>& pairs, const ComparisonOptions& options) {
  if (pairs.empty()) throw std::invalid_argument("a comparison needs a pair of runs");
  auto rows = paired_rows(pairs);
  Comparison result;
  result.options = options;
  result.pairs = static_cast<int>(pairs.size());
  result.base = pairs.front().base.origin;
  result.next = pairs.front().next.origin;
  result.machine = described(pairs.front().base);
  result.date = pairs.back().next.results.date;
  result.other_machine = other_machine(pairs);
  note_soft_differences(pairs, result.notes);
  result.findings = judging::judge_validity(pairs, rows, options, result.notes);
  std::erase_if(rows, [&](const PairedRow& row) {
    auto finding = other_problem(row, !result.other_machine);
    if (finding) result.findings.push_back(std::move(*finding));
    return finding.has_value();
  });
  for (const auto& row : rows)
    for (auto& finding : judging::judge_counts(pairs, row, !result.other_machine))
      result.findings.push_back(std::move(finding));
  for (auto& finding : judging::judge_times(pairs, rows, options, result.other_machine))
    result.findings.push_back(std::move(finding));
  result.times = time_changes(pairs, rows, result.findings);
  result.suggestions = suggestions(result, pairs);
  return result;
}

bool is_gated(const Finding& finding, const Gate& gate) {
  return !finding.informational && (gate.times || finding.metric_class != MetricClass::time);
}

int exit_code(const Comparison& comparison, const Gate& gate) {
  bool in_common = false, compared = false, worse = false, invalid = false, undecided = false;
  for (const auto& finding : comparison.findings) {
    in_common = in_common || (!finding.row.empty() && finding.metric != "present" && finding.metric != "measured");
    if (!is_gated(finding, gate)) continue;
    // A row that ran on both sides and was right says nothing about how the sides compare.
    const bool open = finding.verdict == Verdict::same || finding.verdict == Verdict::undecided;
    const bool says = (open && finding.metric_class != MetricClass::validity) || finding.verdict == Verdict::better;
    compared = compared || (!finding.row.empty() && says);
    worse = worse || finding.verdict == Verdict::worse;
    invalid = invalid || finding.verdict == Verdict::invalid;
    undecided = undecided || finding.verdict == Verdict::undecided;
  }
  if (worse) return 1;
  if (!in_common) return 5;
  return invalid || !compared || (undecided && gate.undecided_fails) ? 3 : 0;
}

std::optional<Factors> factors_of(const Roofline& roofline, const TimedCounts& base, const TimedCounts& next) {
  if (!(base.seconds > 0) || !(next.seconds > 0)) return std::nullopt;
  Factors factors;
  Counts other_work = *base.counts;
  other_work.operations = next.counts->operations, other_work.executed = next.counts->executed;
  const bool equal_work = base.counts->operations == next.counts->operations;
  const auto before = price(roofline, *base.counts, equal_work), worked = price(roofline, other_work, equal_work),
             after = price(roofline, *next.counts, equal_work);
  if (before) factors.bound = before->bound;
  if (before && worked) factors.work = ratio(worked->seconds, before->seconds);
  if (worked && after) factors.traffic = ratio(after->seconds, worked->seconds);
  factors.efficiency = next.seconds / base.seconds / (factors.work * factors.traffic);
  return factors;
}

}  // namespace roofline
