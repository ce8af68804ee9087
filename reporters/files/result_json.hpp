#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// Google Benchmark's JSON with what is known only at the end (complete, ceilings, warnings), guaranteed to be strict
/// JSON: the library writes bare NaN and Infinity, which become null.
std::string finish_json(const std::string& google_benchmark, const Results& results);

}  // namespace roofline
