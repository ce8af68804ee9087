#pragma once
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// Which form this machine gave each tuned row, and what that is worth: by how much a launch of the first form, the one
/// that the row without /tuned has, took longer in the trial. Empty without such rows.
Table tuned_table(const Results& results);

}  // namespace roofline
