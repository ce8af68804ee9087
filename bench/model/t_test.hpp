#pragma once
#include <vector>

#include "bench/model/statistics.hpp"

namespace roofline {

/// Student's t of values that are means or medians of many others, and so nearly normal: with a handful of them it
/// tells what rank tests need a dozen for. An outlier widens the interval, and makes p larger.

/// Two-sided p of the mean being 0; 1 with fewer than 3 values.
double t_test_p(const std::vector<double>& values);

/// The mean and its 95 % interval. At least 2 values.
Interval mean_interval(const std::vector<double>& values);

/// Chance that |t| with `degrees` >= 1 of freedom is at least |t| (Abramowitz and Stegun, 26.7.3 and 26.7.4).
double student_p(double t, int degrees);

}  // namespace roofline
