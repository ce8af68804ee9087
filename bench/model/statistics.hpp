#pragma once
#include <optional>
#include <vector>

namespace roofline {

/// A median and the 95 % confidence interval of the median.
struct Interval {
  double median = 0, low = 0, high = 0;
};

/// Median of a non-empty sample (mean of the middle two when even).
double median(std::vector<double> sample);

/// Median of a non-empty sample and exact_median_interval(); below 6 values its whole range, which covers less than 95
/// %.
Interval median_interval(const std::vector<double>& sample);

/// Exact tests of medians that assume no shape of distribution. All p-values are two-sided, and exact also with ties:
/// the distribution is that of the ranks at hand.

/// Wilcoxon's signed-rank test of paired differences against 0. 1 without differences other than 0.
double signed_rank_p(const std::vector<double>& differences);

/// The rank-sum test (Mann-Whitney U) of two samples. 1 when one is empty.
double rank_sum_p(const std::vector<double>& a, const std::vector<double>& b);

/// Of both at once, Bonferroni over the two: pairs see through a drift that both sides share, the rank sum reaches
/// small p-values with few samples. `logs_base` and `logs_next` are paired by index.
double paired_p(const std::vector<double>& logs_base, const std::vector<double>& logs_next);
/// The smallest p-value that paired_p can give for as many pairs.
double least_paired_p(int pairs);

/// Holm's step-down adjustment: p-values that can be compared with one alpha for all, in the order given.
std::vector<double> holm(const std::vector<double>& p_values);

/// Median and the exact binomial interval of the median from order statistics (Hoefler and Belli, SC15, have its
/// approximation for large samples): of 9 values the second smallest and the second largest, 96.1 %. Absent when no
/// interval of that confidence exists (below 6 values at 95 %).
std::optional<Interval> exact_median_interval(std::vector<double> sample, double confidence = 0.95);

/// Student's t of values that are means or medians of many others, and so nearly normal: with a handful of them it
/// tells what rank tests need a dozen for. An outlier widens the interval, and makes p larger.

/// Two-sided p of the mean being 0; 1 with fewer than 3 values.
double t_test_p(const std::vector<double>& values);

/// The mean and its 95 % interval. At least 2 values.
Interval mean_interval(const std::vector<double>& values);

/// Chance that |t| with `degrees` >= 1 of freedom is at least |t| (Abramowitz and Stegun, 26.7.3 and 26.7.4).
double student_p(double t, int degrees);

}  // namespace roofline
