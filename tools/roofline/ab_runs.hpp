#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "reporters/comparison/comparison.hpp"

namespace roofline::cli {

/// A signal asked for the end.
struct Interrupted {
  int signal = 0;
};

/// One side of an A/B comparison: a program and its flags, run again and again. Every side gets a folder whose path is
/// as long as that of the others, and its program is started through a link in there: the length of a path moves the
/// stack, and with it times.
class AbSide {
 public:
  /// `command` is a program and its flags, quotes as in a shell; `root` an existing folder; `letter` names the side.
  /// Throws FileError when there is no such program.
  AbSide(const std::string& command, const std::filesystem::path& root, char letter);

  /// Runs it once more: everything it prints goes into a file next to its results. Throws Interrupted, and FileError
  /// when it takes longer than `most_seconds` or leaves no result.
  Side run(const std::string& filter, double most_seconds);
  /// From the next run on it takes the ceilings from a run.json, unless its command says where to take them from.
  void use_ceilings(const std::filesystem::path& run_json);

  std::filesystem::path run_json() const { return out_ / "run.json"; }  ///< of the last run
  int runs() const { return runs_; }

 private:
  /// The way to tell a program where to put its results.
  enum class Kind {
    suite,      ///< roofline_bench and suites of its kind
    library,    ///< with ROOFLINE_MAIN
    benchmark,  ///< any other of Google Benchmark
  };
  Kind kind_of_program(double most_seconds);

  std::string command_;
  std::filesystem::path folder_, program_, out_;
  std::vector<std::string> flags_;
  Kind kind_ = Kind::suite;
  int runs_ = 0;
};

}  // namespace roofline::cli
