#pragma once
#include <string>

#include "bench/result/results.hpp"

namespace roofline {

/// Points of an efficiency.csv, without ceilings. Columns may be in any order, unknown ones are ignored. Throws
/// FileError with origin, line and column.
Results parse_run_csv(const std::string& text, const std::string& origin);

}  // namespace roofline
