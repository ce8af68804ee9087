#include "bench/model/turn_spread.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace roofline {
namespace {

constexpr std::size_t fewest_pairs = 4;
constexpr double normal_95 = 1.96;  // two-sided

/// The deviations that a normal variable keeps to with this probability, two-sided.
double normal_quantile(double probability) {
  double low = 0, high = 10;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::numbers::sqrt2) < probability ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::optional<double> turn_spread(const std::vector<Turns>& pairs) {
  if (pairs.size() < fewest_pairs) return std::nullopt;
  std::vector<double> moves;
  for (const auto& [first, second] : pairs) moves.push_back(std::abs(std::log(second.median / first.median)));
  const auto rank = static_cast<std::ptrdiff_t>(9 * moves.size() / 10);
  const auto value = moves.begin() + rank - 1;
  std::nth_element(moves.begin(), value, moves.end());
  // The r-th of n values is on average at the quantile r / (n + 1).
  const double quantile = normal_quantile(static_cast<double>(rank) / static_cast<double>(moves.size() + 1));
  return *value / (quantile * std::numbers::sqrt2);
}

double half_width_of_turns(double spread, int turns) { return normal_95 * spread / std::sqrt(turns); }

Interval widened(const Interval& interval, double half_width) {
  const double factor = std::exp(half_width);
  return {interval.median, std::min(interval.low, interval.median / factor),
          std::max(interval.high, interval.median * factor)};
}

}  // namespace roofline
