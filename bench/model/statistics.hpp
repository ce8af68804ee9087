#pragma once
#include <optional>
#include <vector>

namespace roofline {

/// An estimate of the middle (a median, or as the function says) and its 95 % confidence interval.
struct Interval {
  double median = 0, low = 0, high = 0;
};

/// Median of a non-empty sample (mean of the middle two when even).
double median(std::vector<double> sample);

/// Median of a non-empty sample and exact_median_interval(); below 6 values its whole range, which covers less than 95
/// %.
Interval median_interval(const std::vector<double>& sample);

/// Median and the exact binomial interval of the median from order statistics (Hoefler and Belli, SC15, have its
/// approximation for large samples). For 9 values it is the second smallest and the second largest, 96.1 %. Absent when
/// no interval of that confidence exists (below 6 values at 95 %).
std::optional<Interval> exact_median_interval(std::vector<double> sample, double confidence = 0.95);

/// The middle of a non-empty sample as the median of the means of all pairs, each value with itself included (Hodges
/// and Lehmann, 1963), and its exact interval by the signed-rank test (Hollander and Wolfe, Nonparametric Statistical
/// Methods, 3.2 and 3.3). The interval is narrower than that of the median for values that scatter evenly around their
/// middle (results/precision), and a quarter of the values can be outliers. Below 6 values the interval is their whole
/// range, which covers less than 95 %.
Interval middle_interval(const std::vector<double>& sample);

/// Two samples that are not paired.
struct TwoSamples {
  std::vector<double> base, next;
};

/// How much `next` is above `base`: the median of all differences (Hodges and Lehmann) and its exact interval by the
/// rank-sum test (Hollander and Wolfe, Nonparametric Statistical Methods, 4.3). Values are compared within their
/// stratum only, and the rank sums of the strata are added (van Elteren, 1960, with equal weights). Absent when no
/// interval of that confidence exists: in one stratum below 4 values a side at 95 %, below 6 at 99 %.
std::optional<Interval> shift_interval(const std::vector<TwoSamples>& strata, double confidence);

/// The mean and its interval by Student's t: for values that are medians of many others, and so nearly normal. With a
/// handful of them it tells what ranks need a dozen for; an outlier widens it. At least 2 values.
Interval mean_interval(const std::vector<double>& values, double confidence = 0.95);

/// Chance that |t| with `degrees` >= 1 of freedom is at least |t| (Abramowitz and Stegun, 26.7.3 and 26.7.4).
double student_p(double t, int degrees);

/// |t| that is exceeded with this chance, the normal distribution's with many degrees of freedom.
double student_quantile(double chance, double degrees);

}  // namespace roofline
