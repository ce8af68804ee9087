#pragma once
#include <string>

#include "reporters/imports/input.hpp"

namespace roofline {

/// Rows of any Google Benchmark suite as points: the median of a row's repetitions, or its aggregates "median" or
/// "mean" where only these were reported. A launch is one iteration of all threads of a row. Counters are rates of the
/// clock that the row's name says, or with options.per_iteration amounts; a unit in their names counts. Versions differ
/// in what threads do to times and rates; each is read as it wrote. Rows without a result, or named twice, are warned
/// of. Throws FileError with place and reason, std::invalid_argument naming the counters there are when no row has
/// those that were asked for.
Results parse_google_json(const std::string& text, const std::string& origin, const InputOptions& options);
/// The same of --benchmark_format=csv.
Results parse_google_csv(const std::string& text, const std::string& origin, const InputOptions& options);

}  // namespace roofline
