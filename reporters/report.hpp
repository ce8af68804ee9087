#pragma once
#include <string>

#include "bench/run/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

// What a run prints, in the order of its phases.

// `width` is what tables keep to.

std::string machine_text(const Results& results, std::size_t width = terminal_width);
std::string ceilings_text(const Results& results, std::size_t width = terminal_width);
/// Kernel table, text plot, verdict, notes. `utf8` allows line-drawing characters.
std::string kernels_text(const Results& results, bool utf8, std::size_t width = terminal_width);

}  // namespace roofline
