#pragma once
#include <string>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// Every table of a run, the plot, checks and remarks, in tables of `width` columns. `utf8` allows line-drawing
/// characters.
std::string everything_text(const Results& results, bool utf8, std::size_t width = terminal_width);

}  // namespace roofline
