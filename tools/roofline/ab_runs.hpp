#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "reporters/comparison/side.hpp"

namespace roofline::cli {

/// One side of an A/B comparison: a program and its flags, run again and again. Every side gets a folder whose path is
/// as long as that of the others, and its program is started through a link in there: the length of a path moves the
/// stack, and with it times.
class AbSide {
 public:
  /// `command` is a program and its flags, quotes as in a shell; `root` an existing folder; `letter` names the side.
  /// Throws FileError when there is no such program.
  AbSide(const std::string& command, const std::filesystem::path& root, char letter);

  /// Runs it once more, everything it prints into a file beside its results. Throws FileError when no run.json came of
  /// it, and Interrupted.
  Side run(const std::string& filter, double most_seconds);

  const std::string& command() const { return command_; }
  double seconds() const { return seconds_; }  ///< of all runs so far
  int runs() const { return runs_; }

 private:
  std::string command_;
  std::filesystem::path folder_, program_;
  std::vector<std::string> flags_;
  double seconds_ = 0;
  int runs_ = 0;
};

/// A signal asked for the end.
struct Interrupted {
  int signal = 0;
};
/// From now on interrupts() (bench/machine/interrupt.hpp) end the running program and let AbSide::run throw
/// Interrupted.
void catch_ab_interrupts();

}  // namespace roofline::cli
