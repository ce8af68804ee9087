#pragma once
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reporters/comparison/turn_order.hpp"

namespace roofline::cli {

/// A signal asked for the end.
struct Interrupted {
  int signal = 0;
};
/// From now on interrupts() (bench/machine/interrupt.hpp) end the running program and let Child::advance throw
/// Interrupted.
void catch_ab_interrupts();

/// A program that runs until it asks for a turn (bench/run/turns.hpp) and is then stopped, all of its processes and
/// threads, until it gets one. One that never asks runs to its end.
class Child {
 public:
  /// Of a program, its flags, and where it prints. Not started yet.
  struct Command {
    std::filesystem::path program;
    std::vector<std::string> flags;
    std::filesystem::path log;
    std::string name;         ///< for messages
    double most_seconds = 0;  ///< that it may run
  };
  explicit Child(Command command) : command_(std::move(command)) {}
  /// Ends what still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Starts it, or gives the answer to its question; returns when it asks for a turn or has ended. Throws Interrupted,
  /// and FileError when it took too long.
  void advance(char answer = 'g');

  /// What it asks for, or that it has ended.
  const Waiting& waiting() const { return waiting_; }
  bool takes_turns() const { return takes_turns_; }  ///< it has asked for one
  double seconds() const { return seconds_; }        ///< that it ran, without what it waited
  int code() const { return code_; }                 ///< once it has ended; 128 + signal of one that was killed

 private:
  void start();
  void await();
  /// Whether it waits now. Takes what it says.
  bool hears();
  bool has_ended();
  void end(int signal) const;

  Command command_;
  Waiting waiting_;
  std::string heard_;
  pid_t process_ = -1;
  int socket_ = -1, code_ = 0;
  bool takes_turns_ = false;
  double seconds_ = 0;
};

}  // namespace roofline::cli
