#pragma once
#include <string>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

/// Where the counts come from: account and source of the FLOPs, source and model of the bytes; one line each.
std::vector<std::string> source_lines(const Results& results);

}  // namespace roofline
