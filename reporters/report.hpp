#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bench/results.hpp"

namespace roofline {

// What a run prints, in the order of its phases, and what it writes beside run.json.

std::string machine_text(const Results& results);
std::string ceilings_text(const Results& results);
/// Kernel table, text plot, notes. `utf8` allows line-drawing characters.
std::string kernels_text(const Results& results, bool utf8);

/// File name and content: roofline.svg, efficiency.csv, efficiency.md.
std::vector<std::pair<std::string, std::string>> report_files(const Results& results);

/// Whether a physics check failed: nothing may be concluded from this run.
bool inconclusive(const Results& results);

}  // namespace roofline
