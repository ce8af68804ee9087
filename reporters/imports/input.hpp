#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/result/results.hpp"

namespace roofline {

/// How a file is to be read that does not say everything itself.
struct InputOptions {
  std::vector<std::string> levels;     ///< names of ordinal levels, near to far: L2, DRAM
  std::string flops, bytes;            ///< counters of a foreign Google Benchmark JSON
  std::string level;                   ///< whose bytes they are; empty: DRAM, or what the file itself says
  bool per_iteration = false;          ///< the counters are of one iteration, not per second
  std::string flops_unit, bytes_unit;  ///< of these counters where their names do not say it: GFLOP/s, MB
  std::string precision;               ///< of points of which the file does not say it: fp64, fp32, fp16
  char decimal = 0;                    ///< '.' or ',' of a file's numbers; 0: the numbers tell
};

/// The level of the option; absent where it is empty. Throws std::invalid_argument.
std::optional<MemoryLevel> level_wanted(const InputOptions& options);

/// The contents of a file, recognised by its content: see input_formats(). Points whose file has only their time, or
/// all but their time, are halves that another file may complete. Throws FileError naming the place,
/// std::invalid_argument when an option is missing.
Results read_input(const std::filesystem::path& path, const InputOptions& options = {});
Results parse_input(const std::string& text, const std::string& origin, const InputOptions& options = {});

/// The names of all formats that are read, between commas.
std::string input_formats();

/// Facts that a file of another tool may lack, and the assumptions that replaced them.
struct OpinionOptions {
  std::optional<MemoryLevel> level;   ///< of bandwidths; absent: DRAM
  std::vector<std::string> warnings;  ///< filled in
};

/// Ceilings that another tool found, labelled with its name. They are shown next to the roofs and never become roofs.
/// By content: CSV of the CARM tool, of rocprof (roofline.csv) or BabelStream, output of STREAM or likwid-bench, JSON
/// of nvbench. Ceilings that a tool did not measure (0) are left out. Throws FileError with origin, place and reason.
std::vector<Ceiling> parse_external_ceilings(const std::string& text, const std::string& origin,
                                             OpinionOptions& options);

}  // namespace roofline
