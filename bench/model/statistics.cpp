#include "bench/model/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace roofline {
namespace {

double median_of_sorted(const std::vector<double>& sorted) {
  const auto n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

}  // namespace

double median(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  return median_of_sorted(sample);
}

Interval median_interval(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size()), half = 1.96 * std::sqrt(n);
  const auto rank = [&](double r) {
    return static_cast<std::size_t>(std::clamp(std::ceil(r), 1.0, n)) - 1;  // ranks count from 1
  };
  return {median_of_sorted(sample), sample[rank((n - half) / 2)], sample[rank(1 + (n + half) / 2)]};
}

}  // namespace roofline
