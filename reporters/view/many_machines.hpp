#pragma once
#include <cstddef>
#include <vector>

#include "bench/model/statistics.hpp"
#include "bench/result/results.hpp"

namespace roofline {

/// So many runs are still told apart in one picture or table; more are shown as bands.
inline constexpr std::size_t most_apart = 12;

/// Median, and the 5th and 95th percentile (the next value outwards), of a non-empty list.
Interval middle_ninety(std::vector<double> values);

/// Whether runs are of machines of one name with as many threads, each with roofs and rows: others are no fleet.
bool are_alike(const std::vector<Results>& runs);

/// Many runs as one: each roof and each row at its median over the runs that have it, from the 5th to the 95th
/// percentile. Counts are those of the run with the median time, machine, date and threads those of the first. A
/// warning says how many runs lack rows. At least one run.
Results many_machines(std::vector<Results> runs);

}  // namespace roofline
