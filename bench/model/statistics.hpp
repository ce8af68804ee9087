#pragma once
#include <vector>

namespace roofline {

/// A median and the 95 % confidence interval of the median.
struct Interval {
  double median = 0, low = 0, high = 0;
};

/// Median of a non-empty sample (mean of the middle two when even).
double median(std::vector<double> sample);

/// Median and distribution-free 95 % rank interval (Hoefler and Belli, SC15): ranks ceil((n - z sqrt n)/2) and
/// ceil(1 + (n + z sqrt n)/2), z = 1.96, clipped to the sample. Below 6 values the interval is the whole range, which
/// covers less than 95 %.
Interval median_interval(std::vector<double> sample);

}  // namespace roofline
