#pragma once
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// One row per kernel point, grouped by family: time, rates, intensities, bound and shares. Percentages are never
/// clamped; a share that contradicts the model has the mark `!`, which a note explains.
Table kernel_table(const Results& results);

/// What did not run or went wrong: failures, warnings, an interruption, and what the default run leaves out.
std::vector<Table> remarks(const Results& results);

}  // namespace roofline
