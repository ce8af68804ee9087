#pragma once
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace roofline::any_program {

/// A program to be run once.
struct Launch {
  std::filesystem::path file;
  std::string name;  ///< that it sees as its own: argv[0]
  std::vector<std::string> arguments = {};
  std::filesystem::path in, out;                                      ///< its standard input and output
  std::filesystem::path error = {};                                   ///< empty: ours; may be `out`
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< added to ours
  bool show_output = false;                                           ///< print what it prints, as it comes
  std::function<void(pid_t)> before = {};                             ///< called while it has not yet begun
  std::function<void(double seconds)> meanwhile = {};                 ///< called every `tick`
  int tick_microseconds = 5000;
};

/// How it ended.
struct Ending {
  int code = 0;    ///< exit code; 128 plus the signal's number if a signal ended the program
  int signal = 0;  ///< 0: it ended by itself; SIGTTIN: it waited for the terminal, and was killed
  double elapsed = 0, user = 0, system = 0;  ///< seconds, children that it waited for included
};

/// From now on interrupts() only ask for the end: asked_to_stop() is the signal, or 0.
void catch_stops();
int asked_to_stop();

/// Runs the program to its end in a process group of its own, so signals of the terminal do not reach it. Throws
/// FileError when it cannot be started.
Ending run(const Launch& launch);

/// The group of the running program gets a signal.
void signal_running(int signal);

}  // namespace roofline::any_program
