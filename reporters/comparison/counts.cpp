#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "reporters/comparison/judging.hpp"

namespace roofline::judging {
namespace {

/// A value that is compared: its digits decide, the number gives direction and size.
struct Value {
  double number = 0;
  std::string text;
};
using Values = std::vector<std::optional<Value>>;

Value exactly(std::uint64_t count) { return {static_cast<double>(count), std::to_string(count)}; }
Value exactly(double bytes) { return {bytes, fmt::format("{}", bytes)}; }

std::optional<Value> flops(const KernelPoint& p) { return exactly(p.counts.operations.flops()); }
std::optional<Value> declared(const KernelPoint& p) {
  return p.declared_flops ? std::optional(exactly(p.declared_flops)) : std::nullopt;
}
std::optional<Value> operations(const KernelPoint& p) {
  if (!p.counts.kinds_known) return std::nullopt;
  const auto& o = p.counts.operations;
  return Value{static_cast<double>(o.instructions()), fmt::format("add {} mul {} fma {} div {} sqrt {} logic {}", o.add,
                                                                  o.mul, o.fma, o.div, o.sqrt, o.logic)};
}

/// One metric over all pairs: values of both sides where they are known.
struct CountSeries {
  Values base, next;
};
template <class Of>
CountSeries series(const PairedRow& row, Of of) {
  CountSeries all;
  for (const auto& [base, next] : row.points) {
    if (base) all.base.push_back(of(*base));
    if (next) all.next.push_back(of(*next));
  }
  return all;
}

bool agree(const Values& values) {
  return std::all_of(values.begin(), values.end(), [&](const auto& value) {
    return value.has_value() == values.front().has_value() && (!value || value->text == values.front()->text);
  });
}

std::string by_how_much(double base, double next) {
  return base > 0 ? fmt::format("{:+.4g} %", 100 * (next / base - 1)) : fmt::format("{:+.6g}", next - base);
}

/// Integers: any difference counts.
Finding exact(Finding finding, const CountSeries& all) {
  const auto& base = all.base.front();
  const auto& next = all.next.front();
  if (base) finding.base = base->number;
  if (next) finding.next = next->number;
  if (!base || !next) {
    finding.verdict = base && finding.metric_class == MetricClass::exact ? Verdict::invalid : Verdict::not_comparable;
    finding.why = fmt::format("only the {} side knows it", base ? "base" : "new");
  } else if (!agree(all.base) || !agree(all.next)) {
    finding.verdict = Verdict::invalid;
    finding.why = fmt::format("the {} runs disagree among themselves", agree(all.base) ? "new" : "base");
  } else if (base->text != next->text) {
    finding.verdict = next->number < base->number ? Verdict::better : Verdict::worse;
    finding.why = next->number == base->number
                      ? fmt::format("{} -> {}", base->text, next->text)
                      : fmt::format("{} -> {} ({})", base->text, next->text, by_how_much(base->number, next->number));
  }
  return finding;
}

double median_of(const Values& values) {
  std::vector<double> numbers;
  for (const auto& value : values)
    if (value) numbers.push_back(value->number);
  return numbers.empty() ? NAN : median(std::move(numbers));
}

/// Counters: a change beyond the tolerance counts, in both directions.
Finding counted(Finding finding, const CountSeries& all, double tolerance) {
  finding.metric_class = MetricClass::counter;
  const double base = median_of(all.base), next = median_of(all.next);
  if (!std::isfinite(base) || !std::isfinite(next)) {
    finding.verdict = Verdict::not_comparable, finding.why = "only one side knows it";
    return finding;
  }
  finding.base = base, finding.next = next;
  if (std::abs(next - base) > tolerance * base) {
    finding.verdict = next < base ? Verdict::better : Verdict::worse;
    finding.why = fmt::format("{} by hardware counters (tolerance {:.0f} %)", by_how_much(base, next), 100 * tolerance);
  }
  return finding;
}

/// Divisions and square roots take many times as long as the others, whatever the number of instructions.
Finding judge_mix(Finding finding, const Operations& base, const Operations& next) {
  if (finding.verdict != Verdict::better && finding.verdict != Verdict::worse) return finding;
  const auto slow_before = base.div + base.sqrt, slow_after = next.div + next.sqrt;
  const bool fewer =
      slow_after < slow_before || (slow_after == slow_before && next.instructions() < base.instructions());
  finding.verdict = fewer ? Verdict::better : Verdict::worse;
  finding.why.clear();
  const auto tell = [&](const char* kind, std::uint64_t before, std::uint64_t after) {
    if (before != after)
      finding.why += fmt::format("{}{} {} -> {}", finding.why.empty() ? "" : ", ", kind, before, after);
  };
  tell("add", base.add, next.add), tell("mul", base.mul, next.mul), tell("fma", base.fma, next.fma);
  tell("div", base.div, next.div), tell("sqrt", base.sqrt, next.sqrt), tell("logic", base.logic, next.logic);
  return finding;
}

bool is_exact(Source source) { return source == Source::software || source == Source::analytic; }

/// The bytes of a level on one side.
MetricClass class_of(const Side& side, const Counts& counts, MemoryLevel level) {
  const auto& modelled = counts.modelled_levels;
  if (counts.traffic_source == Source::hardware && std::find(modelled.begin(), modelled.end(), level) == modelled.end())
    return MetricClass::counter;
  const bool gpu = side.results.gpu || (side.results.model && side.results.model->gpu);
  // The loads and stores of a CPU's source do not depend on its caches; the requests of a GPU's warps depend on
  // sectors.
  const bool of_the_source = level == MemoryLevel::L1 && !gpu && counts.traffic_source != Source::imported;
  return of_the_source || is_exact(counts.traffic_source) ? MetricClass::exact : MetricClass::deterministic;
}

std::string other_model(const SidePair& pair, const KernelPoint& base, const KernelPoint& next) {
  if (pair.base.model_hash.empty() || pair.next.model_hash.empty()) return "a side does not say by which model";
  if (pair.base.model_hash != pair.next.model_hash || base.counts.modelled_device != next.counts.modelled_device)
    return "modelled with other caches, or by another version of the model";
  if (base.threads != next.threads) return "other numbers of threads";
  if (base.counts.traffic_note != next.counts.traffic_note) return "modelled over another part of the launch";
  return {};
}

/// For a tuned row, the tunings that the runs chose if they differ, because each has bytes of its own.
std::string other_tunings(const PairedRow& row) {
  std::set<std::string> tunings;
  for (const auto& [base, next] : row.points) {
    if (base) tunings.insert(base->tuning);
    if (next) tunings.insert(next->tuning);
  }
  return tunings.size() > 1 ? fmt::format("other tunings were faster: {}", fmt::join(tunings, "; ")) : "";
}

Finding judge_bytes(const SidePair& pair, const PairedRow& row, MemoryLevel level, bool same_machine) {
  const auto& base = *row.base();
  const auto& next = *row.next();
  Finding finding{row.name, "bytes_" + std::string(name(level))};
  const auto all = series(row, [&](const KernelPoint& p) -> std::optional<Value> {
    const auto& traffic = p.counts.at(level);
    // The evaded share of stores is measured anew in every run, so bytes are compared as if all lines had been read.
    const double evaded = level == MemoryLevel::DRAM ? p.counts.evaded : 0;
    return traffic ? std::optional(exactly(traffic->read + evaded + traffic->written)) : std::nullopt;
  });
  const auto of_base = class_of(pair.base, base.counts, level), of_next = class_of(pair.next, next.counts, level);
  finding.metric_class = of_base;
  const auto refuse = [&](const std::string& why) {
    finding.verdict = Verdict::not_comparable, finding.why = why;
    return finding;
  };
  if (of_base != of_next)
    return refuse("counted in different ways: " + base.counts.traffic_label() + " and " + next.counts.traffic_label());
  if (of_base == MetricClass::counter)
    return same_machine ? counted(finding, all, level == MemoryLevel::DRAM ? 0.05 : 0.03) : refuse("another machine");
  if (const auto why = other_tunings(row); !why.empty() && level != MemoryLevel::L1) return refuse(why);
  if (of_base == MetricClass::deterministic)
    if (const auto why = other_model(pair, base, next); !why.empty()) return refuse(why);
  return exact(finding, all);
}

}  // namespace

std::vector<Finding> judge_counts(const std::vector<SidePair>& pairs, const PairedRow& row, bool same_machine) {
  const auto* const base = row.base();
  const auto* const next = row.next();
  if (!base || !next) return {};
  if (pairs.front().base.times_only || pairs.front().next.times_only) return {};
  std::vector<Finding> findings;
  const bool by_counters =
      base->counts.operations_source == Source::hardware || next->counts.operations_source == Source::hardware;
  if (by_counters) {
    Finding finding{row.name, "flops"};
    if (same_machine)
      finding = counted(finding, series(row, flops), 0.01);
    else
      finding.metric_class = MetricClass::counter, finding.verdict = Verdict::not_comparable,
      finding.why = "another machine";
    findings.push_back(std::move(finding));
  } else {
    findings.push_back(exact({row.name, "flops"}, series(row, flops)));
    if (base->counts.kinds_known && next->counts.kinds_known)
      findings.push_back(judge_mix(exact({row.name, "operations"}, series(row, operations)), base->counts.operations,
                                   next->counts.operations));
  }
  if (base->declared_flops && next->declared_flops)
    findings.push_back(exact({row.name, "declared_flops"}, series(row, declared)));
  for (const auto level : all_memory_levels)
    if (base->counts.at(level) || next->counts.at(level))
      findings.push_back(judge_bytes(pairs.front(), row, level, same_machine));
  for (auto& finding : findings) finding.pairs = static_cast<int>(pairs.size());
  return findings;
}

}  // namespace roofline::judging
