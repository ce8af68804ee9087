#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"

namespace roofline {

/// What a file of another tool may not say, and what had to be assumed of it.
struct OpinionOptions {
  std::optional<MemoryLevel> level;   ///< of bandwidths; absent: DRAM
  std::vector<std::string> warnings;  ///< filled in
};

/// Ceilings that another tool found, labelled with its name: shown next to the roofs, never one of them. By content:
/// CSV of the CARM tool, of rocprof (roofline.csv) or BabelStream, output of STREAM or likwid-bench, JSON of nvbench.
/// What a tool did not measure (0) is left out. Throws FileError with origin, place and reason.
std::vector<Ceiling> parse_external_ceilings(const std::string& text, const std::string& origin,
                                             OpinionOptions& options);

}  // namespace roofline
