#include "reporters/comparison/sequential.hpp"

#include <algorithm>
#include <cmath>

#include "bench/model/statistics.hpp"
#include "reporters/comparison/comparison_table.hpp"
#include "reporters/comparison/judging.hpp"

namespace roofline {

void SequentialComparison::add(SidePair pair, const Side* control) {
  if (control)
    for (const auto& point : control->results.points)
      for (const auto& base : pair.base.results.points)
        if (base.name == point.name && judging::invalid_time(point) == Cause::none &&
            judging::invalid_time(base) == Cause::none)
          control_[point.name].push_back(std::log(judging::change_of(pair.base, base, *control, point).median));
  pairs_.push_back(std::move(pair));
}

/// What another build of the same source makes of a row's time is no change: the far end of its interval, or with few
/// runs the largest of all.
void SequentialComparison::raise_floors(ComparisonOptions& options) const {
  for (const auto& [row, changes] : control_) {
    double bar = 0;
    if (const auto interval = exact_median_interval(changes)) {
      bar = std::max(std::abs(interval->low), std::abs(interval->high));
    } else {
      for (const double change : changes) bar = std::max(bar, std::abs(change));
    }
    options.row_floors[row] = std::expm1(bar);
  }
}

double share_of_look(int look, bool last) { return last ? 1.0 / look : 1.0 / look - 1.0 / (look + 1.0); }

Comparison SequentialComparison::look(bool last) {
  auto options = options_;
  options.alpha *= share_of_look(++looks_, last);
  options.interleaved = true;
  raise_floors(options);
  auto comparison = compare(pairs_, options);
  for (auto& finding : comparison.findings) {
    if (finding.metric_class != MetricClass::time || !finding.ratio) continue;
    const auto earlier = decided_.find(finding.row);
    if (finding.verdict == Verdict::worse || finding.verdict == Verdict::better) {
      decided_[finding.row] = finding.verdict;
    } else if (finding.verdict == Verdict::inconclusive && earlier != decided_.end() &&
               (finding.ratio->median > 1) == (earlier->second == Verdict::worse)) {
      finding.verdict = earlier->second, finding.why = "decided by fewer pairs", finding.cause = Cause::none;
    }
  }
  // What is left to decide takes runs of their own, which may spend all of alpha again.
  comparison.options.alpha = options_.alpha;
  comparison.suggestions = suggestions(comparison, pairs_);
  return comparison;
}

int open_rows(const Comparison& comparison) {
  return static_cast<int>(std::count_if(comparison.findings.begin(), comparison.findings.end(), is_open));
}

}  // namespace roofline
