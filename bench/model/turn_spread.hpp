#pragma once
#include <optional>
#include <vector>

#include "bench/model/kernel_point.hpp"

namespace roofline {

/// How far the time of a kernel moves from one turn to another, minutes apart: the standard deviation of one turn,
/// relative. Two turns of one row say little of it, those of all rows together say how the machine drifts, so that it
/// is pooled, as if it drifted alike for all that are given. From the largest |ln(second / first)| but a tenth of them,
/// which is sqrt(2) of these deviations times the normal quantile that it stands at: one row in ten that met an event
/// does not bend it. Intervals of that spread hold the truth in 94 % of cases with ten pairs, 89 with four; absent with
/// fewer than four.
std::optional<double> turn_spread(const std::vector<Turns>& pairs);

/// The half-width, relative, that a 95 % interval of the mean of so many turns has for that spread alone.
double half_width_of_turns(double spread, int turns);

/// The interval, with at least that half-width to each side, as a factor.
Interval widened(const Interval& interval, double half_width);

}  // namespace roofline
