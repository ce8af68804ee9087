#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bench/run/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// One row per kernel point, grouped by family: time, rates, intensities, bound and efficiencies. Percentages are never
/// clamped; points above 105 % of a roof, unconverged and contaminated ones carry a mark that the notes explain.
Table kernel_table(const Results& results);

/// The marks that a point carries, "~x": one sign each.
std::string marks_of(const KernelPoint& point);
/// Every mark and what it means.
std::vector<std::pair<char, std::string>> mark_meanings();

/// Where the counts come from: account and source of the FLOPs, source and model of the bytes; one line each.
std::vector<std::string> source_lines(const Results& results);

/// What did not run or went wrong: failures, warnings, an interruption, and what the default run leaves out.
std::vector<Table> remarks(const Results& results);

}  // namespace roofline
