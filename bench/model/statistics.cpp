#include "bench/model/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>

namespace roofline {
namespace {

double median_of_sorted(const std::vector<double>& sorted) {
  const auto n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/// With more pairs signs alone reach any p-value, and the ways to a rank sum take long to count.
constexpr std::size_t most_for_sums = 20;

/// Twice the mid-ranks of the values, from 2 on: integers also where values are tied.
std::vector<std::size_t> double_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size()), ranks(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i + 1;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) ranks[order[k]] = i + 1 + end;
    i = end;
  }
  return ranks;
}

/// Share of a distribution over sums that is at least as far from the mean as `observed`.
double both_tails(const std::vector<double>& ways, double mean, double observed) {
  double all = 0, extreme = 0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    all += ways[sum];
    if (std::abs(static_cast<double>(sum) - mean) >= std::abs(observed - mean) - 1e-9) extreme += ways[sum];
  }
  return std::min(1.0, extreme / all);
}

struct Moments {
  double mean = 0, error = 0;  ///< standard error of the mean
};

Moments moments(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (n - 1) / n)};
}

/// |t| that is exceeded with a chance of 5 %.
double bound(int degrees) {
  double low = 0, high = 13;  // 12.7 with one degree of freedom
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (student_p(middle, degrees) > 0.05 ? low : high) = middle;
  }
  return high;
}

}  // namespace

double median(std::vector<double> sample) {
  const auto half = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::nth_element(sample.begin(), half, sample.end());
  return sample.size() % 2 == 1 ? *half : (*std::max_element(sample.begin(), half) + *half) / 2;
}

double signed_rank_p(const std::vector<double>& differences) {
  std::vector<double> magnitudes;
  std::vector<bool> positive;
  for (const double d : differences)
    if (d != 0) magnitudes.push_back(std::abs(d)), positive.push_back(d > 0);
  if (magnitudes.empty()) return 1;
  const auto ranks = double_ranks(magnitudes);
  const auto total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  // Under the null hypothesis every rank is positive or negative with equal chance: count the ways to each sum.
  std::vector<double> ways(total + 1);
  ways[0] = 1;
  double observed = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (std::size_t sum = total; sum >= ranks[i]; --sum) ways[sum] += ways[sum - ranks[i]];
    if (positive[i]) observed += static_cast<double>(ranks[i]);
  }
  return both_tails(ways, static_cast<double>(total) / 2, observed);
}

double rank_sum_p(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return 1;
  auto all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto ranks = double_ranks(all);
  const auto total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  // ways[k][sum]: subsets of k ranks with that sum.
  std::vector<std::vector<double>> ways(a.size() + 1, std::vector<double>(total + 1));
  ways[0][0] = 1;
  for (const auto rank : ranks)
    for (std::size_t k = a.size(); k > 0; --k)
      for (std::size_t sum = total; sum >= rank; --sum) ways[k][sum] += ways[k - 1][sum - rank];
  double observed = 0;
  for (std::size_t i = 0; i < a.size(); ++i) observed += static_cast<double>(ranks[i]);
  const double mean =
      static_cast<double>(total) * static_cast<double>(a.size()) / static_cast<double>(a.size() + b.size());
  return both_tails(ways[a.size()], mean, observed);
}

double paired_p(const std::vector<double>& logs_base, const std::vector<double>& logs_next) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(logs_base.size(), logs_next.size()); ++i)
    differences.push_back(logs_next[i] - logs_base[i]);
  const double by_sums = differences.size() <= most_for_sums ? rank_sum_p(logs_base, logs_next) : 1;
  return std::min(1.0, 2 * std::min(signed_rank_p(differences), by_sums));
}

double least_paired_p(int pairs) {
  if (pairs < 1) return 1;
  const double n = pairs, signs = std::pow(2.0, 1 - n);
  const bool by_sums = static_cast<std::size_t>(pairs) <= most_for_sums;
  const double sums = by_sums ? 2 / std::exp(std::lgamma(2 * n + 1) - 2 * std::lgamma(n + 1)) : 1;
  return std::min(1.0, 2 * std::min(signs, sums));
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(order.size() - i) * p_values[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

std::optional<Interval> exact_median_interval(std::vector<double> sample, double confidence) {
  const auto n = sample.size();
  if (n == 0) return std::nullopt;
  std::sort(sample.begin(), sample.end());
  // The interval from the (k+1)-th smallest to the (k+1)-th largest misses with 2 P(Binomial(n, 1/2) <= k).
  const double trials = static_cast<double>(n);
  double below = 0;
  std::optional<std::size_t> rank;
  for (std::size_t k = 0; 2 * k + 1 <= n; ++k) {
    const double x = static_cast<double>(k);
    below +=
        std::exp(std::lgamma(trials + 1) - std::lgamma(x + 1) - std::lgamma(trials - x + 1) - trials * std::log(2.0));
    if (2 * below > 1 - confidence) break;
    rank = k;
  }
  if (!rank) return std::nullopt;
  return Interval{median_of_sorted(sample), sample[*rank], sample[n - 1 - *rank]};
}

Interval median_interval(const std::vector<double>& sample) {
  if (const auto exact = exact_median_interval(sample)) return *exact;
  const auto [low, high] = std::minmax_element(sample.begin(), sample.end());
  return {median(sample), *low, *high};
}

double student_p(double t, int degrees) {
  const double angle = std::atan(std::abs(t) / std::sqrt(degrees));
  const double sine = std::sin(angle), cosine = std::cos(angle);
  const bool odd = degrees % 2 == 1;
  // cos + 2/3 cos^3 + (2 4)/(3 5) cos^5 + ..., or 1 + 1/2 cos^2 + (1 3)/(2 4) cos^4 + ..., up to cos^(degrees - 2)
  double term = odd ? cosine : 1, sum = 0;
  for (int power = odd ? 1 : 0; power <= degrees - 2; power += 2) {
    sum += term;
    term *= cosine * cosine * (power + 1) / (power + 2);
  }
  const double inside = odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
  return std::clamp(1 - inside, 0.0, 1.0);
}

double t_test_p(const std::vector<double>& values) {
  if (values.size() < 3) return 1;
  const auto [mean, error] = moments(values);
  if (mean == 0) return 1;
  const double t = error > 0 ? mean / error : std::numeric_limits<double>::infinity();
  return student_p(t, static_cast<int>(values.size()) - 1);
}

Interval mean_interval(const std::vector<double>& values) {
  const auto [mean, error] = moments(values);
  const double half = bound(static_cast<int>(values.size()) - 1) * error;
  return {mean, mean - half, mean + half};
}

}  // namespace roofline
