#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/run/results.hpp"

namespace roofline {

/// How a file is to be read that does not say everything itself.
struct InputOptions {
  std::vector<std::string> levels;  ///< names of ordinal levels, near to far: L2, DRAM
  std::string flops, bytes;         ///< counters of a foreign Google Benchmark JSON
  std::string level = "DRAM";       ///< whose bytes they are
  bool per_iteration = false;       ///< the counters are of one iteration, not per second
};

/// What a file holds, by its content: our run.json or efficiency.csv, roofline.json of ERT, data.txt, Google
/// Benchmark's JSON. Throws FileError naming the place, std::invalid_argument when an option is missing.
Results read_input(const std::filesystem::path& path, const InputOptions& options = {});
Results parse_input(const std::string& text, const std::string& origin, const InputOptions& options = {});

}  // namespace roofline
