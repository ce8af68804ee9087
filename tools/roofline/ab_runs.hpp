#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reporters/comparison/side.hpp"
#include "tools/roofline/child.hpp"

namespace roofline::cli {

/// One side of an A/B comparison: a program and its flags, run again and again. Every side gets a folder whose path is
/// as long as that of the others, and its program is started through a link in there: the length of a path moves the
/// stack, and with it times.
class AbSide {
 public:
  /// `command` is a program and its flags, quotes as in a shell; `root` an existing folder; `letter` names the side.
  /// Throws FileError when there is no such program.
  AbSide(const std::string& command, const std::filesystem::path& root, char letter);

  /// Its next run: everything it prints goes into a file beside its results.
  Child::Command prepare(const std::string& filter, double most_seconds);
  /// What that run found when it has ended. Throws FileError when no run.json came of it.
  Side result(const Child& run);
  /// From the next run on it takes the ceilings from a run.json, unless its command says where to take them from.
  void use_ceilings(const std::filesystem::path& run_json);

  std::filesystem::path run_json() const { return out_ / "run.json"; }  ///< of the last run
  double seconds() const { return seconds_; }                           ///< of all runs so far
  int runs() const { return runs_; }

 private:
  std::string command_;
  std::filesystem::path folder_, program_, out_;
  std::vector<std::string> flags_;
  double seconds_ = 0;
  int runs_ = 0;
};

/// Lets programs run side by side, one at any time: in the order given until each asks for its first turn, then row by
/// row, a sample each and the next in reverse order (base new new base ...), and to their ends. One that takes no turns
/// runs as a whole. `tell` is called with each row that is begun. Throws as Child::advance.
void run_in_turns(const std::vector<Child*>& runs, const std::function<void(const std::string&)>& tell);

}  // namespace roofline::cli
