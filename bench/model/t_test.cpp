#include "bench/model/t_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace roofline {
namespace {

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
