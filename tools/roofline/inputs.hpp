#pragma once
#include <string>
#include <vector>

#include "bench/options/flag_checks.hpp"
#include "reporters/imports/input.hpp"

namespace roofline::cli {

/// Files that several subcommands read, and the flags that say how.
struct Inputs {
  std::vector<std::string> files, external;
  std::string ceilings;
  int threads = 0;
  InputOptions options;

  /// Adds the arguments and flags.
  void define(CLI::App& flags);
  /// The files as one run: the points of all, each under the name of its file if there are several, on the ceilings of
  /// the first file or of --ceilings, with those of --external-ceilings next to them. Counts and times of one kernel in
  /// two files are one point. More than a dozen run.json of machines alike are one as well: see many_machines().
  /// Assumptions are among the warnings.
  Results read() const;
  /// Each of the files by itself.
  std::vector<Results> read_each() const;
};

}  // namespace roofline::cli
