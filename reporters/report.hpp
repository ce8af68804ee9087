#pragma once
#include <string>

#include "bench/run/results.hpp"

namespace roofline {

// What a run prints, in the order of its phases.

std::string machine_text(const Results& results);
std::string ceilings_text(const Results& results);
/// Kernel table, text plot, notes. `utf8` allows line-drawing characters.
std::string kernels_text(const Results& results, bool utf8);

}  // namespace roofline
