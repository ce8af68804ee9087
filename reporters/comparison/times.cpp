#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/model/assessment.hpp"
#include "bench/model/rank_tests.hpp"
#include "bench/model/t_test.hpp"
#include "bench/text/format.hpp"
#include "reporters/comparison/judging.hpp"

namespace roofline::judging {

double floor_of(const std::string& row, const ComparisonOptions& options) {
  double floor = std::max({options.floor, 2 * options.spread, options.control_floor});
  if (const auto found = options.row_floors.find(row); found != options.row_floors.end())
    floor = std::max(floor, found->second);
  return std::log1p(floor);
}

namespace {

std::vector<double> seconds_of(const KernelPoint& point) {
  std::vector<double> seconds;
  for (const auto& sample : point.samples) seconds.push_back(sample.seconds);
  return seconds;
}

}  // namespace

Interval ratio_of(const KernelPoint& base, const KernelPoint& next, bool in_turns) {
  const auto before = seconds_of(base), after = seconds_of(next);
  if (!in_turns || before.empty() || before.size() != after.size())
    return {next.time.median / base.time.median, next.time.low / base.time.high, next.time.high / base.time.low};
  std::vector<double> ratios;
  for (std::size_t i = 0; i < before.size(); ++i) ratios.push_back(after[i] / before[i]);
  return median_interval(std::move(ratios));
}

namespace {

/// With fewer pairs than a rank test needs, only changes as large as this are told: in every pair, of runs that may be
/// quoted, none of which had to be left out.
constexpr double large_change = 0.10;
constexpr int fewest_for_interval = 6;
/// Pairs that ran side by side are medians of many differences each, and nearly normal.
constexpr int fewest_in_turns = 4;
/// Cycles of the core's clock: a change below is none, however large relative to a short launch.
constexpr double fewest_cycles = 20;

/// What is known of one row's time.
struct TimeSeries {
  std::vector<double> base, next;  ///< logarithms of seconds, or of cycles, of the pairs that can be judged
  std::vector<Interval> ratios;    ///< of each pair, from the intervals within its runs
  bool disjoint = true;            ///< [min, q3] of the samples of both sides, in every pair
  bool in_turns = true;            ///< all pairs ran side by side
  double slower = 0, faster = 0;   ///< of the resource it depends on: medians of the logarithms over the pairs
  double absolute_floor = 0;       ///< seconds
  std::map<std::string, int> dropped;
  std::map<std::string, std::string> details;
  int pairs = 0;  ///< with a time on both sides, judged or not
  int invalid = 0;
  std::string why_invalid;
};

/// Minimum and upper quartile of the samples; of a run that kept none the ends of the interval.
std::pair<double, double> bulk(const KernelPoint& point) {
  auto samples = seconds_of(point);
  if (samples.size() < 4) return {point.time.low, point.time.high};
  std::sort(samples.begin(), samples.end());
  return {samples.front(), samples[samples.size() * 3 / 4]};
}

void add(TimeSeries& series, const SidePair& pair, const KernelPoint& base, const KernelPoint& next, double cycles) {
  const auto ratio = ratio_of(base, next, pair.in_turns);
  series.base.push_back(std::log(base.time.median));
  series.next.push_back(series.base.back() + std::log(ratio.median) + cycles);
  series.ratios.push_back(ratio);
  series.in_turns = series.in_turns && pair.in_turns;
  const auto before = bulk(base), after = bulk(next);
  series.disjoint = series.disjoint && (before.second < after.first || after.second < before.first);
  const double clock = clock_of(pair.base);
  series.absolute_floor = std::max({series.absolute_floor, 2 * pair.base.results.timer.step,
                                    2 * pair.next.results.timer.step, clock > 0 ? fewest_cycles / clock : 0});
}

/// `in_cycles`: times multiplied by the clock of their run.
TimeSeries series_of(const std::vector<SidePair>& pairs, const PairedRow& row, bool interleaved, bool in_cycles) {
  TimeSeries series;
  std::vector<double> slower, faster;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [base, next] = row.points[i];
    if (!base || !next || base->is_bound() || next->is_bound()) continue;
    ++series.pairs;
    const auto wrong_base = invalid_time(*base, pairs[i].in_turns), wrong_next = invalid_time(*next, pairs[i].in_turns);
    if (!wrong_base.empty() || !wrong_next.empty()) {
      ++series.invalid;
      series.why_invalid = wrong_base.empty() ? wrong_next + " (new)" : wrong_base + " (base)";
      continue;
    }
    const auto control = control_of(pairs[i], *base, *next, interleaved);
    if (!control.moved.empty()) {
      ++series.dropped[control.moved], series.details[control.moved] = control.detail;
      continue;
    }
    const double before = clock_of(pairs[i].base), after = clock_of(pairs[i].next);
    if (in_cycles && !(before > 0 && after > 0)) continue;
    add(series, pairs[i], *base, *next, in_cycles ? std::log(after / before) : 0);
    slower.push_back(control.slower), faster.push_back(control.faster);
  }
  if (!slower.empty()) series.slower = median(slower), series.faster = median(faster);
  return series;
}

std::vector<double> differences(const TimeSeries& series) {
  std::vector<double> all;
  for (std::size_t i = 0; i < series.base.size(); ++i) all.push_back(series.next[i] - series.base[i]);
  return all;
}

Interval interval_of(const TimeSeries& series, const std::vector<double>& changes) {
  Interval logs{median(changes), 0, 0};
  if (series.in_turns && changes.size() >= fewest_in_turns) {
    logs = mean_interval(changes);
  } else if (const auto exact = exact_median_interval(changes)) {
    logs = *exact;
  } else {  // too few for an interval of the median: everything that any pair allows
    logs.low = *std::min_element(changes.begin(), changes.end());
    logs.high = *std::max_element(changes.begin(), changes.end());
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const auto& within = series.ratios[i];
      logs.low = std::min(logs.low, changes[i] + std::log(within.low / within.median));
      logs.high = std::max(logs.high, changes[i] + std::log(within.high / within.median));
    }
  }
  return {std::exp(logs.median), std::exp(logs.low), std::exp(logs.high)};
}

double p_of(const TimeSeries& series) {
  const bool normal = series.in_turns && series.base.size() >= fewest_in_turns;
  return normal ? t_test_p(differences(series)) : paired_p(series.base, series.next);
}

/// Why a row that could be judged was not decided.
std::string undecided(const TimeSeries& series, const Finding& finding, const ComparisonOptions& options,
                      double explained, double floor) {
  const double change = std::abs(std::log(finding.ratio->median));
  const auto pairs = static_cast<int>(series.base.size());
  const bool enough = series.in_turns ? pairs >= fewest_in_turns : least_paired_p(pairs) <= options.alpha;
  if (change >= floor && change < floor + explained)
    return fmt::format("drift of its ceiling: {:.1f} % of the change may be that", 100 * std::expm1(explained));
  if (!enough)
    return fmt::format("too few pairs: {} cannot tell a change below {:.0f} % from chance", pairs, 100 * large_change);
  if (*finding.p > options.alpha && change >= floor)
    return fmt::format("too few pairs: p = {:.2g} after Holm", *finding.p);
  return fmt::format("too few pairs: {:+.1f} .. {:+.1f} % holds a change of {:.1f} %, from which one counts",
                     100 * (finding.ratio->low - 1), 100 * (finding.ratio->high - 1), 100 * std::expm1(floor));
}

/// The verdict of a row that has pairs to judge; its p is adjusted.
void judge(Finding& finding, const TimeSeries& series, const ComparisonOptions& options) {
  const auto changes = differences(series);
  const double change = std::log(finding.ratio->median), floor = floor_of(finding.row, options);
  // A resource that became slower by itself explains a longer time, and the other way round.
  const double explained = change > 0 ? -series.slower : series.faster;
  const double seconds = std::abs(*finding.next - *finding.base);
  const bool above_floors = std::abs(change) >= floor + explained && seconds >= series.absolute_floor;
  const bool significant = *finding.p <= options.alpha && above_floors;
  const double large = std::max(std::log1p(large_change), floor) + explained;
  const bool one_way = std::all_of(changes.begin(), changes.end(),
                                   [&](double c) { return std::abs(c) >= large && (c > 0) == (change > 0); });
  const bool plain = finding.pairs < fewest_for_interval && finding.pairs == series.pairs && one_way &&
                     series.disjoint && above_floors;
  if (significant || plain)
    finding.verdict = change > 0 ? Verdict::worse : Verdict::better,
    finding.why = fmt::format("{:+.1f} %", 100 * (finding.ratio->median - 1));
  else if (std::log(finding.ratio->low) > -floor && std::log(finding.ratio->high) < floor)
    finding.verdict = Verdict::same;
  else if (std::max(std::abs(finding.ratio->low - 1), std::abs(finding.ratio->high - 1)) * *finding.base <
           series.absolute_floor)
    finding.verdict = Verdict::same, finding.why = "below what the timer and a clock cycle resolve";
  else
    finding.verdict = Verdict::inconclusive, finding.why = undecided(series, finding, options, explained, floor);
}

/// What stands before any statistics; true when it settles the row.
bool settled(Finding& finding, const TimeSeries& series, const std::optional<std::string>& other_machine,
             bool same_threads) {
  const auto settle = [&](Verdict verdict, const std::string& why) {
    finding.verdict = verdict, finding.why = why;
    return true;
  };
  if (other_machine) return settle(Verdict::not_comparable, *other_machine);
  if (!same_threads) return settle(Verdict::not_comparable, "other numbers of threads");
  if (series.invalid > 0 && series.base.empty() && series.dropped.empty())
    return settle(Verdict::invalid, series.why_invalid);
  // Conditions that changed in most pairs have not been the same in the others either.
  int dropped = 0;
  for (const auto& [cause, pairs] : series.dropped) dropped += pairs;
  if (!series.base.empty() && 2 * dropped <= series.pairs) return false;
  const auto worst = std::max_element(series.dropped.begin(), series.dropped.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  if (worst == series.dropped.end()) return settle(Verdict::inconclusive, "no pair of runs has a time that counts");
  return settle(Verdict::inconclusive, fmt::format("{}: {}", worst->first, series.details.at(worst->first)));
}

struct Judged {
  Finding finding;
  TimeSeries series;
  bool open = false;  ///< to be tested
};

std::vector<Judged> collect(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                            const ComparisonOptions& options, const std::optional<std::string>& other_machine,
                            bool in_cycles) {
  std::vector<Judged> all;
  for (const auto& row : rows) {
    Judged judged{{row.name, in_cycles ? "cycles" : "time"}, series_of(pairs, row, options.interleaved, in_cycles)};
    auto& [finding, series, open] = judged;
    if (series.pairs == 0 || (in_cycles && series.base.empty())) continue;
    finding.metric_class = in_cycles ? MetricClass::ratio : MetricClass::time;
    finding.informational = in_cycles;
    finding.pairs = static_cast<int>(series.base.size());
    if (!series.base.empty()) {
      const double clock = in_cycles ? clock_of(pairs.front().base) : 1;
      finding.base = clock * std::exp(median(series.base)), finding.next = clock * std::exp(median(series.next));
      if (in_cycles) series.absolute_floor *= clock;
      finding.ratio = interval_of(series, differences(series));
      // Medians over pairs that each ran at another speed have another ratio than the pairs.
      if (series.in_turns) finding.next = *finding.base * finding.ratio->median;
      finding.p = p_of(series);
    } else if (row.base() && row.next()) {
      finding.base = row.base()->time.median, finding.next = row.next()->time.median;
    }
    const bool same_threads = row.base()->threads == row.next()->threads;
    open = !settled(finding, series, other_machine, same_threads);
    all.push_back(std::move(judged));
  }
  return all;
}

std::vector<Judged> judged(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                           const ComparisonOptions& options, const std::optional<std::string>& other_machine,
                           bool in_cycles) {
  auto all = collect(pairs, rows, options, other_machine, in_cycles);
  std::vector<double> p_values;
  for (const auto& row : all)
    if (row.open) p_values.push_back(*row.finding.p);
  const auto adjusted = holm(p_values);
  std::size_t next = 0;
  for (auto& row : all) {
    if (!row.open) continue;
    row.finding.p = adjusted[next++];
    judge(row.finding, row.series, options);
  }
  return all;
}

}  // namespace

std::vector<Finding> judge_times(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                                 const ComparisonOptions& options, const std::optional<std::string>& other_machine) {
  auto times = judged(pairs, rows, options, other_machine, false);
  const auto cycles = judged(pairs, rows, options, other_machine, true);
  std::map<std::string, const Finding*> in_cycles;
  for (const auto& row : cycles) in_cycles[row.finding.row] = &row.finding;
  std::vector<Finding> findings;
  for (auto& row : times) {
    auto& finding = row.finding;
    const auto* const other = in_cycles.contains(finding.row) ? in_cycles.at(finding.row) : nullptr;
    const bool decided = finding.verdict == Verdict::worse || finding.verdict == Verdict::better;
    // Cycles that stand still say that the clock is another one and the code is not.
    if (decided && other && other->ratio && std::abs(std::log(other->ratio->median)) < floor_of(finding.row, options))
      finding.verdict = Verdict::inconclusive,
      finding.why = fmt::format("clock: {:+.1f} % in time and {:+.1f} % in cycles", 100 * (finding.ratio->median - 1),
                                100 * (other->ratio->median - 1));
    findings.push_back(std::move(finding));
  }
  for (const auto& row : cycles) findings.push_back(row.finding);
  return findings;
}

}  // namespace roofline::judging
