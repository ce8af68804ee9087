#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/any_program/program_rows.hpp"

namespace roofline::any_program {

/// Seconds in a region, by thread.
using RegionTimes = std::map<std::string, std::map<std::uint64_t, double>>;

/// What the preloaded markers have left in a file; empty where there is none.
RegionTimes read_region_times(const std::filesystem::path& file);

/// The regions that the program marks, in the order in which they were opened first. They may nest and overlap: there
/// is no row of the rest, and `share`, of the time or of the instructions of the whole program, has no sum.
/// `program_seconds`: of all its threads.
std::vector<ProgramRow> region_rows(const CountedRun& counted, const RegionTimes& times, double program_seconds);

}  // namespace roofline::any_program
