#include "reporters/drawing/axes.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

/// Multiples of the powers of ten between low and high.
std::vector<double> multiples(const LogAxis& axis, const std::vector<int>& factors) {
  std::vector<double> values;
  for (int exponent = static_cast<int>(std::floor(std::log10(axis.low))) - 1;; ++exponent) {
    const double decade = std::pow(10.0, exponent);
    if (decade > axis.high || !std::isfinite(decade)) return values;
    for (const int factor : factors)
      if (factor * decade >= axis.low * (1 - 1e-9) && factor * decade <= axis.high * (1 + 1e-9))
        values.push_back(factor * decade);
  }
}

}  // namespace

double LogAxis::per_decade() const { return (end - begin) / std::log10(high / low); }

double LogAxis::position(double value) const { return begin + per_decade() * std::log10(value / low); }

double LogAxis::value(double position) const { return low * std::pow(10.0, (position - begin) / per_decade()); }

std::vector<double> LogAxis::decades() const { return multiples(*this, {1}); }

std::vector<double> LogAxis::minor_ticks() const { return multiples(*this, {2, 3, 4, 5, 6, 7, 8, 9}); }

std::vector<double> LogAxis::labelled_ticks() const {
  return std::log10(high / low) < 2 ? multiples(*this, {1, 2, 5}) : decades();
}

void LogRange::include(double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  low = empty() ? value : std::min(low, value);
  high = std::max(high, value);
}

LogRange LogRange::padded(double factor, double decades) const {
  if (empty()) return {0.1, 0.1 * std::pow(10.0, decades)};
  const double missing = decades - std::log10(high / low * factor * factor);
  const double more = missing > 0 ? std::pow(10.0, missing / 2) : 1;
  return {low / factor / more, high * factor * more};
}

}  // namespace roofline
