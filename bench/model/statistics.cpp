#include "bench/model/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

namespace roofline {
namespace {

double median_of_sorted(const std::vector<double>& sorted) {
  const auto n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/// In how many ways the values of one sample can precede those of the other 0, 1, ... times (the null distribution of
/// the statistic U of Mann and Whitney), divided by the number of all ways: coefficients of the Gaussian binomial.
std::vector<double> rank_sum_chances(std::size_t m, std::size_t n) {
  std::vector<double> ways(m * n + 1);
  ways[0] = 1;
  for (std::size_t i = 1; i <= m; ++i) {
    for (auto u = ways.size(); u-- > n + i;) ways[u] -= ways[u - n - i];
    for (auto u = i; u < ways.size(); ++u) ways[u] += ways[u - i];
  }
  const double all = std::accumulate(ways.begin(), ways.end(), 0.0);
  for (auto& way : ways) way /= all;
  return ways;
}

/// The chances of the sum of the ranks 1 to n that have a plus when each has one with the chance 1/2 (the null
/// distribution of the signed-rank statistic of Wilcoxon).
std::vector<double> signed_rank_chances(std::size_t n) {
  std::vector<double> chances(n * (n + 1) / 2 + 1);
  chances[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank)
    for (auto sum = chances.size(); sum-- > 0;)
      chances[sum] = (chances[sum] + (sum >= rank ? chances[sum - rank] : 0)) / 2;
  return chances;
}

/// The number of values at each end of a statistic's distribution that an interval of `confidence` leaves out.
std::size_t left_out_at_each_end(const std::vector<double>& chances, double confidence) {
  std::size_t rank = 0;
  double below = 0;
  while (2 * rank < chances.size() && 2 * (below + chances[rank]) <= 1 - confidence) below += chances[rank++];
  return rank;
}

/// The chances of the sum of two independent statistics.
std::vector<double> chances_of_sum(const std::vector<double>& some, const std::vector<double>& others) {
  std::vector<double> chances(some.size() + others.size() - 1);
  for (std::size_t i = 0; i < some.size(); ++i)
    for (std::size_t j = 0; j < others.size(); ++j) chances[i + j] += some[i] * others[j];
  return chances;
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

}  // namespace

double median(std::vector<double> sample) {
  const auto half = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::nth_element(sample.begin(), half, sample.end());
  return sample.size() % 2 == 1 ? *half : (*std::max_element(sample.begin(), half) + *half) / 2;
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

Interval middle_interval(const std::vector<double>& sample) {
  std::vector<double> means;
  for (std::size_t i = 0; i < sample.size(); ++i)
    for (std::size_t k = 0; k <= i; ++k) means.push_back((sample[i] + sample[k]) / 2);
  std::sort(means.begin(), means.end());
  // The k-th smallest mean is too large with the chance that the sum of ranks is below k.
  const auto rank = std::max<std::size_t>(1, left_out_at_each_end(signed_rank_chances(sample.size()), 0.95));
  return {median_of_sorted(means), means[rank - 1], means[means.size() - rank]};
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

double student_quantile(double chance, double degrees) {
  constexpr int as_good_as_normal = 1000;
  const int whole = static_cast<int>(std::clamp(degrees, 1.0, double{as_good_as_normal}));
  const auto exceeded = [&](double t) {
    return whole < as_good_as_normal ? student_p(t, whole) : std::erfc(t / std::numbers::sqrt2);
  };
  double low = 0, high = 1;
  while (exceeded(high) > chance && high < 1e6) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (exceeded(middle) > chance ? low : high) = middle;
  }
  return high;
}

std::optional<Interval> shift_interval(const std::vector<TwoSamples>& strata, double confidence) {
  std::vector<double> chances{1}, differences;
  for (const auto& [base, next] : strata) {
    chances = chances_of_sum(chances, rank_sum_chances(base.size(), next.size()));
    for (const double b : base)
      for (const double n : next) differences.push_back(n - b);
  }
  // The k-th smallest difference is too large with the chance that the sum of U is below k.
  const auto rank = left_out_at_each_end(chances, confidence);
  if (rank == 0 || differences.empty()) return std::nullopt;
  std::sort(differences.begin(), differences.end());
  return Interval{median_of_sorted(differences), differences[rank - 1], differences[differences.size() - rank]};
}

Interval mean_interval(const std::vector<double>& values, double confidence) {
  const auto [mean, error] = moments(values);
  const double half = student_quantile(1 - confidence, static_cast<double>(values.size()) - 1) * error;
  return {mean, mean - half, mean + half};
}

}  // namespace roofline
