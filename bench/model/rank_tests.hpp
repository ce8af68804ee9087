#pragma once
#include <optional>
#include <vector>

#include "bench/model/statistics.hpp"

namespace roofline {

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

/// Median and the exact binomial interval of the median from order statistics; absent when no interval of that
/// confidence exists (below 6 values at 95 %).
std::optional<Interval> exact_median_interval(std::vector<double> sample, double confidence = 0.95);

}  // namespace roofline
