#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/model/statistics.hpp"
#include "reporters/comparison/judging.hpp"

namespace roofline {

Range outwards(double low, double high) {
  constexpr double tenths = 1000;  // of a percent, in a ratio
  // Whole tenths stay as they are.
  return {std::floor(low * tenths + 1e-6) / tenths, std::ceil(high * tenths - 1e-6) / tenths};
}

namespace judging {
namespace {

/// Cycles of the core's clock. A smaller change does not count, however large relative to a short launch.
constexpr double fewest_cycles = 20;

/// Knowledge of one row's time, over all pairs of runs.
struct TimeSeries {
  RelativeRounds rounds;                           ///< of all pairs
  RelativeRounds by_the_clock;                     ///< the same rounds, as timed
  std::vector<double> shifts;                      ///< of each pair how much the new median is above the base's
  std::vector<double> base_seconds, next_seconds;  ///< of each run, as measured
  Places places = Places::alike;                   ///< of the rounds
  bool equal = true;                               ///< both sides hold the very same samples: one run, or copies of it
  double drift = 0, absolute_floor = 0;            ///< relative; seconds
  int pairs = 0;                                   ///< with a time on both sides, judged or not
  Cause invalid = Cause::none;                     ///< of the last pair that cannot be
  bool invalid_base = false;                       ///< that is of its base
};

/// A row while it is judged.
struct Judged {
  Finding finding;
  TimeSeries series;
  bool open = false;  ///< a verdict is to be found
};

bool equal_samples(const KernelPoint& a, const KernelPoint& b) {
  const auto seconds = [](const Sample& x, const Sample& y) { return x.seconds == y.seconds; };
  const auto rates = [](const Probe& x, const Probe& y) { return x.ceiling == y.ceiling && x.rates == y.rates; };
  return a.time.median == b.time.median && a.time.low == b.time.low && a.time.high == b.time.high &&
         std::equal(a.samples.begin(), a.samples.end(), b.samples.begin(), b.samples.end(), seconds) &&
         std::equal(a.probes.begin(), a.probes.end(), b.probes.begin(), b.probes.end(), rates);
}

std::optional<double> drift_of(const SidePair& pair, const std::string& row, std::optional<Drift> Results::*member) {
  std::optional<double> drift;
  for (const auto* const side : {&pair.base, &pair.next})
    if (const auto& known = side->results.*member) drift = std::max(drift.value_or(0), known->of(row));
  return drift;
}

double usual_drift(const SidePair& pair, const std::string& row, const ComparisonOptions& options) {
  return options.drift ? *options.drift : drift_of(pair, row, &Results::drift).value_or(assumed_drift);
}

void add(TimeSeries& series, const SidePair& pair, const KernelPoint& base, const KernelPoint& next) {
  series.base_seconds.push_back(base.time.median);
  series.next_seconds.push_back(next.time.median);
  series.equal = series.equal && equal_samples(base, next);
  const double clock = clock_of(pair.base);
  series.absolute_floor = std::max({series.absolute_floor, 2 * pair.base.results.timer.step,
                                    2 * pair.next.results.timer.step, clock > 0 ? fewest_cycles / clock : 0});
}

void append(RelativeRounds& all, const RelativeRounds& rounds) {
  all.strata.insert(all.strata.end(), rounds.strata.begin(), rounds.strata.end());
}

TimeSeries series_of(const std::vector<SidePair>& pairs, const PairedRow& row, const ComparisonOptions& options) {
  TimeSeries series;
  std::vector<RelativeRounds> relative, as_timed;
  bool beside_roofs = true;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [base, next] = row.points[i];
    if (!base || !next || base->is_bound() || next->is_bound()) continue;
    ++series.pairs;
    const auto wrong_base = invalid_time(*base), wrong_next = invalid_time(*next);
    if (wrong_base == Cause::none && wrong_next == Cause::none) {
      auto timed = rounds_as_timed(pairs[i].base, *base, pairs[i].next, *next);
      double drift = usual_drift(pairs[i], row.name, options);
      if (timed.strata.empty()) {  // the host placed the cores differently in all rounds
        const auto apart = drift_of(pairs[i], row.name, &Results::drift_apart);
        if (!apart || pairs.size() > 1) continue;
        series.places = Places::any;
        drift = std::max(drift, *apart);
        timed = rounds_as_timed(pairs[i].base, *base, pairs[i].next, *next, series.places);
      }
      add(series, pairs[i], *base, *next);
      series.drift = std::max(series.drift, drift);
      relative.push_back(relative_rounds(pairs[i].base, *base, pairs[i].next, *next, series.places));
      as_timed.push_back(std::move(timed));
      beside_roofs = beside_roofs && relative.back().beside_roofs;
    } else {
      series.invalid_base = wrong_base != Cause::none;
      series.invalid = series.invalid_base ? wrong_base : wrong_next;
    }
  }
  series.rounds.beside_roofs = beside_roofs;
  for (const auto& rounds : as_timed) append(series.by_the_clock, rounds);
  for (const auto& rounds : beside_roofs ? relative : as_timed) {
    append(series.rounds, rounds);
    series.shifts.push_back(rounds.shift());
  }
  return series;
}

/// The exact interval of rounds that are not paired, not narrower than the drift that the host has shown between runs.
std::optional<Interval> interval_of(const RelativeRounds& rounds, double drift, double confidence) {
  auto interval = shift_interval(rounds.strata, confidence);
  if (!interval) return std::nullopt;
  interval->low = std::min(interval->low, interval->median - drift);
  interval->high = std::max(interval->high, interval->median + drift);
  return interval;
}

/// The interval of the logarithm of the ratio at a level of confidence; absent where the rounds cannot give one.
///
/// Several pairs of runs show what runs of one program differ by: Student's t of their shifts. With fewer pairs the
/// machine may have changed from one run to the other. A kernel that follows its roof then takes longer and keeps its
/// share. A kernel that does not follow its roof keeps its time and changes its share. So a change must show in both:
/// where the ratio beside the roofs is not within the floor, the interval holds the estimate by the clock and the drift
/// around it, too. (If it held the whole interval by the clock, fewer changes would be seen, and as many false verdicts
/// given: results/precision.) Runs whose cores did not lay alike are one more reason to ask both: rows of memory change
/// by the clock, others beside their roofs.
std::optional<Interval> interval_of(const TimeSeries& series, double confidence, double floor) {
  if (series.equal) return Interval{0, 0, 0};
  if (!series.rounds.are_enough()) return std::nullopt;
  if (series.shifts.size() >= pairs_that_tell_drift) return mean_interval(series.shifts, confidence);
  const double drift = std::log1p(series.drift) / std::sqrt(static_cast<double>(series.shifts.size()));
  auto interval = interval_of(series.rounds, drift, confidence);
  if (!interval || verdict_of(outwards(std::exp(interval->low), std::exp(interval->high)), floor) == Verdict::same)
    return interval;
  const double timed = series.by_the_clock.shift();
  interval->low = std::min(interval->low, timed - drift);
  interval->high = std::max(interval->high, timed + drift);
  return interval;
}

/// The smallest change of a row's time that counts.
double floor_of(const Judged& row, const ComparisonOptions& options) {
  double floor = std::max(options.floor, row.series.absolute_floor / *row.finding.base);
  if (const auto found = options.row_floors.find(row.finding.row); found != options.row_floors.end())
    floor = std::max(floor, found->second);
  return floor > options.floor ? std::ceil(floor * 1000) / 1000 : floor;
}

void judge(Judged& row, double confidence) {
  auto& [finding, series, open] = row;
  auto& ratio = *finding.ratio;
  finding.cause = Cause::none, finding.why.clear(), ratio.range.reset();
  const auto interval = interval_of(series, confidence, ratio.floor);
  if (!interval) {
    finding.verdict = Verdict::undecided, finding.cause = Cause::too_few_rounds;
    finding.why = fmt::format("{} rounds a side are too few", series.rounds.rounds_a_side());
    if (series.rounds.are_enough()) finding.why += " for so many rows";
    return;
  }
  ratio.estimate = std::exp(interval->median);
  ratio.range = outwards(std::exp(interval->low), std::exp(interval->high));
  const double half = std::max(interval->high - interval->median, interval->median - interval->low);
  ratio.visible = half > 0 ? (1 + ratio.floor) * std::exp(half) - 1 : 0;
  finding.verdict = verdict_of(*ratio.range, ratio.floor);
  if (finding.verdict == Verdict::undecided)
    finding.cause = Cause::wide_range,
    finding.why = fmt::format("the range holds changes below and above the floor of {:.3g} %{}", 100 * ratio.floor,
                              series.places == Places::any ? "; the host placed the cores differently" : "");
  else if (finding.verdict != Verdict::same)
    finding.why = fmt::format("{:+.1f} %", 100 * (ratio.estimate - 1));
}

/// Holm's step-down procedure, with intervals: each of m open rows has an interval of 1 - alpha / m. Rows whose whole
/// interval lies beyond the floor are decided; the others are tested again among fewer.
void judge_all(std::vector<Judged>& rows, double alpha) {
  const auto is_open = [](const Judged& row) { return row.open; };
  for (;;) {
    const auto open = std::count_if(rows.begin(), rows.end(), is_open);
    bool decided = false;
    for (auto& row : rows) {
      if (!row.open) continue;
      judge(row, 1 - alpha / static_cast<double>(open));
      const bool changed = row.finding.verdict == Verdict::worse || row.finding.verdict == Verdict::better;
      if (changed) row.open = false, decided = true;
    }
    if (!decided) return;
  }
}

/// Checks before any statistics; true when they settle the row.
bool settled(Finding& finding, const TimeSeries& series, const std::optional<std::string>& other_machine,
             bool same_threads) {
  const auto settle = [&](Verdict verdict, const std::string& why) {
    finding.verdict = verdict, finding.why = why;
    return true;
  };
  if (other_machine) return settle(Verdict::not_comparable, *other_machine);
  if (!same_threads) return settle(Verdict::not_comparable, "other numbers of threads");
  if (series.shifts.empty() && series.invalid == Cause::none) {
    finding.cause = Cause::too_few_rounds;
    return settle(Verdict::undecided, "the host placed the cores differently in all rounds of the two runs");
  }
  if (series.shifts.empty()) {
    finding.cause = series.invalid;
    return settle(Verdict::invalid, fmt::format("{} ({})", name(series.invalid), series.invalid_base ? "base" : "new"));
  }
  return false;
}

Judged collected(const std::vector<SidePair>& pairs, const PairedRow& row, const ComparisonOptions& options,
                 const std::optional<std::string>& other_machine) {
  Judged judged{{row.name, "time", MetricClass::time}, series_of(pairs, row, options)};
  auto& [finding, series, open] = judged;
  if (series.pairs == 0) return judged;
  finding.pairs = static_cast<int>(series.shifts.size());
  finding.base = series.shifts.empty() ? row.base()->time.median : median(series.base_seconds);
  finding.next = series.shifts.empty() ? row.next()->time.median : median(series.next_seconds);
  open = !settled(finding, series, other_machine, row.base()->threads == row.next()->threads);
  if (open)
    finding.ratio =
        TimeRatio{std::exp(median(series.shifts)), {}, floor_of(judged, options), 0, series.rounds.beside_roofs};
  return judged;
}

}  // namespace

std::vector<Finding> judge_times(const std::vector<SidePair>& pairs, const std::vector<PairedRow>& rows,
                                 const ComparisonOptions& options, const std::optional<std::string>& other_machine) {
  std::vector<Judged> all;
  for (const auto& row : rows) {
    auto judged = collected(pairs, row, options, other_machine);
    if (judged.series.pairs > 0) all.push_back(std::move(judged));
  }
  judge_all(all, options.alpha);
  std::vector<Finding> findings;
  for (auto& row : all) findings.push_back(std::move(row.finding));
  return findings;
}

}  // namespace judging

std::map<std::string, double> placement_floors(const std::vector<SidePair>& pairs, const std::vector<Side>& controls) {
  std::map<std::string, std::vector<double>> shifts;
  for (std::size_t i = 0; i < std::min(pairs.size(), controls.size()); ++i)
    for (const auto& control : controls[i].results.points)
      for (const auto& base : pairs[i].base.results.points) {
        const bool valid = judging::invalid_time(control) == Cause::none && judging::invalid_time(base) == Cause::none;
        if (base.name != control.name || !valid) continue;
        const auto rounds = judging::relative_rounds(pairs[i].base, base, controls[i], control);
        if (!rounds.strata.empty()) shifts[base.name].push_back(rounds.shift());
      }
  std::map<std::string, double> floors;
  for (const auto& [row, values] : shifts) {
    const auto interval = median_interval(values);
    floors[row] = std::expm1(std::max(std::abs(interval.low), std::abs(interval.high)));
  }
  return floors;
}

}  // namespace roofline
