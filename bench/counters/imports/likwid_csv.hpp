#pragma once
#include <string>

#include "bench/counters/imports/imported.hpp"

namespace roofline::perf {

/// Whether a text holds tables of `likwid-perfctr -O`, also behind what the measured program printed.
bool is_likwid_csv(const std::string& text);

/// Events per region of LIKWID's CSV, per call of the region, summed over cores and over units of the uncore.
///
/// Read are the tables "Group N Raw" of likwid-perfctr 4.0 to 5.5 and those of likwid-mpirun. Calls of a region stand
/// above its table ("call count") or in it ("Region calls"). Several groups of a region complement each other; of an
/// event in more than one the first group counts. Runs appended to one file are averaged by their calls.
///
/// Throws FileError, one line with the place: no such table, a number that is none, fewer rows or cores than announced,
/// counts of no region that cannot be one launch (two runs, or groups that took turns).
ImportedEvents parse_likwid_csv(const std::string& text, const std::string& file);

}  // namespace roofline::perf
