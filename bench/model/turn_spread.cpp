#include "bench/model/turn_spread.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace roofline {
namespace {

constexpr std::size_t fewest_pairs = 8;
constexpr double normal_90 = 1.645, normal_95 = 1.96;  // two-sided quantiles

}  // namespace

std::optional<double> turn_spread(const std::vector<Turns>& pairs) {
  if (pairs.size() < fewest_pairs) return std::nullopt;
  std::vector<double> moves;
  for (const auto& [first, second] : pairs) moves.push_back(std::abs(std::log(second.median / first.median)));
  const auto quantile = moves.begin() + static_cast<std::ptrdiff_t>(moves.size() * 9 / 10);
  std::nth_element(moves.begin(), quantile, moves.end());
  return *quantile / (normal_90 * std::numbers::sqrt2);
}

double half_width_of_turns(double spread, int turns) { return normal_95 * spread / std::sqrt(turns); }

Interval widened(const Interval& interval, double half_width) {
  const double factor = std::exp(half_width);
  return {interval.median, std::min(interval.low, interval.median / factor),
          std::max(interval.high, interval.median * factor)};
}

}  // namespace roofline
