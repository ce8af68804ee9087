#pragma once
#include <map>
#include <string>

#include "bench/options/flag_checks.hpp"
#include "reporters/comparison/comparison.hpp"

namespace roofline::cli {

/// Flags of every subcommand that ends in a verdict: how it is judged, what it decides, which files say it.
struct GateFlags {
  double floor = 3, spread = 0, alpha = 0.05;  ///< percent, percent, probability
  bool allow_missing = false, strict = false;
  std::string gate = "all", inconclusive;
  std::map<std::string, std::string> files;  ///< by format

  void define(CLI::App& flags);
  ComparisonOptions options() const;
  /// Throws FileError before anything is measured: a file cannot be written, or is none that could be continued.
  void require_writable_files() const;
  /// Prints it, writes the files that were asked for and gives the exit code. `is_gate`: INCONCLUSIVE fails unless a
  /// flag says otherwise.
  int finish(const Comparison& comparison, bool is_gate) const;
};

}  // namespace roofline::cli
