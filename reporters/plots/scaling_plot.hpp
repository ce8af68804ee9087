#pragma once
#include <string>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

/// Scaling trajectories (Ibrahim, Williams and Oliker, 2018) as SVG: runs of one machine with different numbers of
/// threads, one line per kernel through its points, from few threads to many, and the roofs of every run.
///
/// A plot per family, at the outermost level of each kernel; percentages are parallel efficiencies between the fewest
/// and the most threads. Throws std::invalid_argument where two runs have the same number of threads, or no kernel is
/// in two of them.
std::string scaling_plot(std::vector<Results> runs);

}  // namespace roofline
