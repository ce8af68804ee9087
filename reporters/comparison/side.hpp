#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "bench/result/results.hpp"

namespace roofline {

/// One stored run as a side of a comparison: what it found out, and what decides whether the other side is comparable.
struct Side {
  std::string origin;  ///< the file, for messages
  Results results;
  std::string fingerprint;  ///< hard keys of the machine or GPU; empty: unknown
  std::string model_hash;   ///< of the model that counted bytes; empty: unknown
  std::string compiler;     ///< of the program, with its flags; soft: a difference is said
  std::string suite_version;
  /// Rows that the program has and this run did not measure, with the reason: no memory, interrupted.
  std::map<std::string, std::string> unmeasured;
  bool times_only = false;  ///< of a program of Google Benchmark that makes no roofline
};

/// Reads the text of a run.json, or of what any program of Google Benchmark writes with --benchmark_out: of that the
/// times, a sample for each repetition, and the host as fingerprint. Throws FileError: one line with the origin, the
/// place and the reason, also for two points of one name, which could be paired with either.
Side parse_side(std::string_view text, const std::string& origin);

/// The same from a file of at most 64 MiB.
Side read_side(const std::filesystem::path& path);

}  // namespace roofline
