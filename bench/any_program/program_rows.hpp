#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/any_program/counts_file.hpp"
#include "bench/any_program/launch.hpp"
#include "bench/any_program/samples.hpp"
#include "bench/model/kernel_point.hpp"

namespace roofline::any_program {

/// A function of the program, a loop, a library, or what is too small for a row of its own; or a region.
struct ProgramRow {
  std::string name, source;
  CountedFunction counted;  ///< of all its parts
  bool was_counted = false, was_timed = false;
  double seconds = 0;      ///< in which at least one thread was in it
  double cpu_seconds = 0;  ///< of all threads
  std::uint64_t samples = 0;
  bool by_clock = false;  ///< `seconds` are those of a clock, not of samples
  double share = 0;       ///< of the program's time; without samples of its instructions

  /// Threads that did at least a tenth of what the busiest one did.
  int threads() const;
};

inline constexpr const char* others_name = "[others]";

struct RowChoice {
  double least_share = 0.01;  ///< of time, or of FLOPs; the rest is one row
  bool libraries = false;     ///< their functions as rows, not whole libraries
  std::string timed;          ///< the file that was timed, where that is another than the one that was counted
  int cores = 0;              ///< on which its threads ran; 0: not known
};

/// Joins where time went with what was counted, by file and offset; by names where another build was timed. The row
/// with most time first, "[others]" last: the sums are those of the program.
std::vector<ProgramRow> program_rows(const CountedRun& counted, const Samples& samples, const RowChoice& choice);

/// A row as a point of the roofline of `threads` usable cores. `program` is the family. Bytes of a level that are less
/// than a thousandth of those of L1 are absent.
KernelPoint point_of(const ProgramRow& row, const std::string& program, const std::string& caches, int cores);

/// Threads that had at least a tenth of the samples of the busiest one; without samples by the times of the run.
int threads_of(const Samples& samples, const Ending& native);

/// Seconds in a region, by thread.
using RegionTimes = std::map<std::string, std::map<std::uint64_t, double>>;

/// The regions that the preloaded markers wrote to a file; empty if there are none.
RegionTimes read_region_times(const std::filesystem::path& file);

/// The regions that the program marks, in the order in which they were first opened. They may nest and overlap. So
/// there is not a row for the rest, and the `share` values (of the time or the instructions of the whole program) do
/// not add up. `program_seconds` is the time of all its threads.
std::vector<ProgramRow> region_rows(const CountedRun& counted, const RegionTimes& times, double program_seconds);

}  // namespace roofline::any_program
