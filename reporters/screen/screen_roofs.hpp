#pragma once
#include <string>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

/// What ran: program, machine, its caches.
std::vector<std::string> head_lines(const Results& results);

/// The roofs in four lines: arithmetic, bandwidths, ridges. Empty without ceilings.
std::vector<std::string> roof_text(const Results& results, std::size_t width);

}  // namespace roofline
