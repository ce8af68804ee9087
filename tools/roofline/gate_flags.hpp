#pragma once
#include <map>
#include <optional>
#include <string>

#include "bench/options/flag_checks.hpp"
#include "reporters/comparison/comparison.hpp"

namespace roofline::cli {

/// Flags of every subcommand that ends in a verdict: how it is judged, what it decides, which files say it.
struct GateFlags {
  double floor = 5, alpha = 0.05;  ///< percent, probability
  std::optional<double> drift;     ///< percent; absent: as found in the runs
  bool allow_missing = false;
  std::string gate = "all", undecided = "ok";
  std::map<std::string, std::string> files;  ///< by format

  void define(CLI::App& flags);
  ComparisonOptions options() const;
  /// Throws FileError before anything is measured if a file cannot be written.
  void require_writable_files() const;
  /// Prints it, writes the files that were asked for and gives the exit code.
  int finish(const Comparison& comparison) const;
};

}  // namespace roofline::cli
