#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/model/statistics.hpp"
#include "reporters/comparison/judging.hpp"

namespace roofline::judging {

double floor_of(const std::string& row, const ComparisonOptions& options) {
  double floor = std::max(options.floor, 2 * options.spread);
  if (const auto found = options.row_floors.find(row); found != options.row_floors.end())
    floor = std::max(floor, found->second);
  return std::log1p(floor);
}

namespace {

/// With fewer pairs than a test needs, only changes as large as this are told: in every pair, of samples that do not
/// overlap.
constexpr double large_change = 0.10;
constexpr int fewest_for_interval = 6;
/// Pairs in ABBA order are medians of many samples each, and nearly normal.
constexpr int fewest_interleaved = 4;
/// Cycles of the core's clock: a change below is none, however large relative to a short launch.
constexpr double fewest_cycles = 20;

/// What is known of one row's time.
struct TimeSeries {
  std::vector<double> base,
      next;                      ///< logarithms of seconds at equal speed of the roofs, of the pairs that can be judged
  std::vector<double> as_timed;  ///< logarithms of new / base of the seconds as they were
  std::vector<Interval> ratios;  ///< of each pair, from the rounds within its runs
  bool disjoint = true;          ///< [min, q3] of the samples of both sides, in every pair
  bool interleaved = false;
  double absolute_floor = 0;    ///< seconds
  int pairs = 0;                ///< with a time on both sides, judged or not
  Cause invalid = Cause::none;  ///< of the last pair that cannot be
  bool invalid_base = false;    ///< that is of its base
};

/// Minimum and upper quartile of the samples; of a run that kept none the ends of the interval.
std::pair<double, double> bulk(const KernelPoint& point) {
  std::vector<double> samples;
  for (const auto& sample : point.samples) samples.push_back(sample.seconds);
  if (samples.size() < 4) return {point.time.low, point.time.high};
  std::sort(samples.begin(), samples.end());
  return {samples.front(), samples[samples.size() * 3 / 4]};
}

void add(TimeSeries& series, const SidePair& pair, const KernelPoint& base, const KernelPoint& next) {
  const auto change = change_of(pair.base, base, pair.next, next);
  series.base.push_back(std::log(base.time.median));
  series.next.push_back(series.base.back() + std::log(change.median));
  series.as_timed.push_back(std::log(next.time.median / base.time.median));
  series.ratios.push_back(change);
  const auto before = bulk(base), after = bulk(next);
  series.disjoint = series.disjoint && (before.second < after.first || after.second < before.first);
  const double clock = clock_of(pair.base);
  series.absolute_floor = std::max({series.absolute_floor, 2 * pair.base.results.timer.step,
                                    2 * pair.next.results.timer.step, clock > 0 ? fewest_cycles / clock : 0});
}

TimeSeries series_of(const std::vector<SidePair>& pairs, const PairedRow& row, bool interleaved) {
  TimeSeries series;
  series.interleaved = interleaved;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [base, next] = row.points[i];
    if (!base || !next || base->is_bound() || next->is_bound()) continue;
    ++series.pairs;
    const auto wrong_base = invalid_time(*base), wrong_next = invalid_time(*next);
    if (wrong_base == Cause::none && wrong_next == Cause::none) {
      add(series, pairs[i], *base, *next);
    } else {
      series.invalid_base = wrong_base != Cause::none;
      series.invalid = series.invalid_base ? wrong_base : wrong_next;
    }
  }
  return series;
}

std::vector<double> differences(const TimeSeries& series) {
  std::vector<double> all;
  for (std::size_t i = 0; i < series.base.size(); ++i) all.push_back(series.next[i] - series.base[i]);
  return all;
}

Interval interval_of(const TimeSeries& series, const std::vector<double>& changes) {
  Interval logs{median(changes), 0, 0};
  if (series.interleaved && changes.size() >= fewest_interleaved) {
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
  const bool normal = series.interleaved && series.base.size() >= fewest_interleaved;
  return normal ? t_test_p(differences(series)) : paired_p(series.base, series.next);
}

void explain(Finding& finding, Cause cause, const std::string& details) {
  finding.cause = cause, finding.why = fmt::format("{}: {}", name(cause), details);
}

/// Of a row that could be judged, why too few pairs did not decide it.
std::string undecided(const TimeSeries& series, const Finding& finding, const ComparisonOptions& options,
                      double floor) {
  const double change = std::abs(std::log(finding.ratio->median));
  const auto pairs = static_cast<int>(series.base.size());
  const bool enough = series.interleaved ? pairs >= fewest_interleaved : least_paired_p(pairs) <= options.alpha;
  if (!enough) return fmt::format("{} cannot tell a change below {:.0f} % from chance", pairs, 100 * large_change);
  if (*finding.p > options.alpha && change >= floor) return fmt::format("p = {:.2g} after Holm", *finding.p);
  return fmt::format("{:+.1f} .. {:+.1f} % holds a change of {:.1f} %, from which one counts",
                     100 * (finding.ratio->low - 1), 100 * (finding.ratio->high - 1), 100 * std::expm1(floor));
}

/// The verdict of a row that has pairs to judge; its p is adjusted.
void judge(Finding& finding, const TimeSeries& series, const ComparisonOptions& options) {
  const auto changes = differences(series);
  const double change = std::log(finding.ratio->median), floor = floor_of(finding.row, options);
  const double seconds = std::abs(*finding.next - *finding.base);
  const bool above_floors = std::abs(change) >= floor && seconds >= series.absolute_floor;
  const bool significant = *finding.p <= options.alpha && above_floors;
  const double large = std::max(std::log1p(large_change), floor);
  const bool one_way = std::all_of(changes.begin(), changes.end(),
                                   [&](double c) { return std::abs(c) >= large && (c > 0) == (change > 0); });
  const bool plain = finding.pairs < fewest_for_interval && finding.pairs == series.pairs && one_way &&
                     series.disjoint && above_floors;
  const double timed = median(series.as_timed);
  const bool machine_moved = std::abs(timed - change) > std::log1p(machine_change_limit);
  if ((significant || plain) && machine_moved && (change > 0 ? timed : -timed) < floor)
    finding.verdict = Verdict::inconclusive, explain(finding, Cause::machine_changed,
                                                     fmt::format("{:+.1f} % in time, {:+.1f} % relative to the roofs",
                                                                 100 * std::expm1(timed), 100 * std::expm1(change)));
  else if (significant || plain)
    finding.verdict = change > 0 ? Verdict::worse : Verdict::better, finding.cause = Cause::changed,
    finding.why = fmt::format("{:+.1f} %", 100 * (finding.ratio->median - 1));
  else if (std::log(finding.ratio->low) > -floor && std::log(finding.ratio->high) < floor)
    finding.verdict = Verdict::same;
  else if (std::max(std::abs(finding.ratio->low - 1), std::abs(finding.ratio->high - 1)) * *finding.base <
           series.absolute_floor)
    finding.verdict = Verdict::same, finding.why = "below what the timer and a clock cycle resolve";
  else
    finding.verdict = Verdict::inconclusive,
    explain(finding, Cause::too_few_pairs, undecided(series, finding, options, floor));
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
  if (series.base.empty()) {
    finding.cause = series.invalid;
    return settle(Verdict::invalid, fmt::format("{} ({})", name(series.invalid), series.invalid_base ? "base" : "new"));
  }
  return false;
}

struct Judged {
  Finding finding;
  TimeSeries series;
  bool open = false;  ///< to be tested
};

std::vector<Judged> collect(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                            const ComparisonOptions& options, const std::optional<std::string>& other_machine) {
  std::vector<Judged> all;
  for (const auto& row : rows) {
    Judged judged{{row.name, "time", MetricClass::time}, series_of(pairs, row, options.interleaved)};
    auto& [finding, series, open] = judged;
    if (series.pairs == 0) continue;
    finding.pairs = static_cast<int>(series.base.size());
    if (!series.base.empty()) {
      finding.ratio = interval_of(series, differences(series));
      finding.base = std::exp(median(series.base));
      finding.next = *finding.base * finding.ratio->median;
      finding.p = p_of(series);
    } else {
      finding.base = row.base()->time.median, finding.next = row.next()->time.median;
    }
    open = !settled(finding, series, other_machine, row.base()->threads == row.next()->threads);
    all.push_back(std::move(judged));
  }
  return all;
}

}  // namespace

std::vector<Finding> judge_times(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                                 const ComparisonOptions& options, const std::optional<std::string>& other_machine) {
  auto all = collect(pairs, rows, options, other_machine);
  std::vector<double> p_values;
  for (const auto& row : all)
    if (row.open) p_values.push_back(*row.finding.p);
  const auto adjusted = holm(p_values);
  std::size_t next = 0;
  std::vector<Finding> findings;
  for (auto& row : all) {
    if (row.open) row.finding.p = adjusted[next++], judge(row.finding, row.series, options);
    findings.push_back(std::move(row.finding));
  }
  return findings;
}

}  // namespace roofline::judging
