#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// "Roofline of AMD EPYC, 2 threads"; of a modelled run it says that nothing was measured.
std::string plot_title(const Results& results);

/// Date, instruction set, clock, and where the ceilings are from.
std::string plot_subtitle(const Results& results);

}  // namespace roofline
