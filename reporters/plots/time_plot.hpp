#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// The time-based roofline as SVG: of each row the seconds that every resource needs by itself, on one logarithmic
/// axis, and the measured time. The longest bar is the roof; what launching costs, an empty parallel region, is a bar
/// of its own where the run measured it. Throws std::invalid_argument where no row has a resource with a ceiling.
std::string time_plot(const Results& results);

}  // namespace roofline
