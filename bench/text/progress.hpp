#pragma once
#include <string>

namespace roofline {

/// One status line on a terminal. Silent when stderr is no terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What runs now: replaces the line.
  void show(const std::string& text);
  /// Removes the line, so that something else can be printed.
  void clear();

  /// From now on nothing is shown: of several processes one is enough on a terminal.
  static void silence() { silent_ = true; }

 private:
  inline static bool silent_ = false;
  bool on_terminal_, shown_ = false;
};

}  // namespace roofline
