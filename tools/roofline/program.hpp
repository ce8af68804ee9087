#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace roofline::cli {

/// A signal asked for the end.
struct Interrupted {
  int signal = 0;
};
/// From now on interrupts() (bench/machine/interrupt.hpp) end the running program and let run_program() throw
/// Interrupted.
void catch_ab_interrupts();

/// A program, its flags, and where it prints.
struct Program {
  std::filesystem::path file;
  std::vector<std::string> flags;
  std::filesystem::path log;
  std::string name;         ///< for messages
  double most_seconds = 0;  ///< that it may run
};

/// Runs it to its end, in a process group of its own, and returns its code; 128 + signal of one that was killed. Throws
/// Interrupted, and FileError when it took too long.
int run_program(const Program& program);

}  // namespace roofline::cli
