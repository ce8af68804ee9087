#pragma once
#include <vector>

#include "bench/levels/ladder.hpp"

namespace roofline {

/// Levels of which one is less than this faster than the next are one level.
inline constexpr double least_fall = 1.2;

/// Sizes of a ladder that one level of the hierarchy serves.
struct Plateau {
  double rate = 0;  ///< B/s of all threads
  double from = 0;  ///< bytes per thread of its first and last rung
  double to = 0;
  double edge = 0;  ///< bytes per thread where it ends, {1, 1.25, 1.5, 1.75} x 2^k; 0 of the last one
};

/// The plateaus of a ladder, the fastest first: the fit of piecewise constant logarithms with the least sum of squared
/// deviations plus a price for each piece. Falls for less than a factor of two are slopes between levels; rises, and
/// what is less than least_fall below, belong to the level. Empty for an empty ladder.
std::vector<Plateau> plateaus(const std::vector<Rung>& ladder);

/// The nearest of {1, 1.25, 1.5, 1.75} x 2^k, by ratio.
double rounded_edge(double bytes);

}  // namespace roofline
