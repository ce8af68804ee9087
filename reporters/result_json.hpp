#pragma once
#include <string>

#include "bench/options.hpp"
#include "bench/results.hpp"

namespace roofline {

/// Puts the machine, the fingerprint and the command line into Google Benchmark's JSON context.
void add_context(const Suite& suite, const Options& options);

/// Google Benchmark's JSON with what is known only at the end (complete, ceilings, warnings), guaranteed to be strict
/// JSON: the library writes bare NaN and Infinity, which become null.
std::string finish_json(const std::string& google_benchmark, const Results& results);

}  // namespace roofline
