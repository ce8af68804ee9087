#pragma once
#include <chrono>
#include <string>

namespace roofline {

/// One status line on a terminal: what runs, how far the run is, the time left. Silent when stderr is no terminal.
class Progress {
 public:
  explicit Progress(int steps);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The next step begins.
  void begin(const std::string& name);
  /// Removes the line, so that something else can be printed.
  void clear();

 private:
  int steps_, step_ = 0;
  bool on_terminal_, shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace roofline
