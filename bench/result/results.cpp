#include "bench/result/results.hpp"

#include "bench/model/assessment.hpp"
#include "bench/result/sanity.hpp"

namespace roofline {
namespace {

/// `points` must be assessed.
RunPrecision precision_of(const std::vector<KernelPoint>& points) {
  RunPrecision precision;
  std::vector<double> half_widths;
  for (const auto& point : points) {
    if (above_roof(point.assessment)) precision.contradictions.push_back(point.name);
    const auto& roof = point.assessment.roof;
    if (!roof || !roof->range || !(roof->efficiency > 0)) continue;
    const double half_width = roof->half_width();
    half_widths.push_back(half_width);
    precision.resolved += roof->resolved();
    if (half_width >= precision.worst) precision.worst = half_width, precision.worst_row = point.name;
  }
  precision.rows = static_cast<int>(half_widths.size());
  if (!half_widths.empty()) precision.median = median(half_widths);
  return precision;
}

}  // namespace

void assess(Results& results) {
  assess(results.roofline, results.points);
  results.precision = precision_of(results.points);
  results.checks = sanity_checks(results);
  results.assessed = true;
}

Results assessed(Results results) {
  if (!results.assessed) assess(results);
  return results;
}

}  // namespace roofline
