#pragma once
#include <sys/types.h>

#include <filesystem>

#include "bench/any_program/counter/ledger.hpp"

namespace roofline::any_program {

/// The memory that a counted program shares with this one.
class SharedLedger {
 public:
  /// Throws std::runtime_error where the kernel gives none.
  SharedLedger();
  ~SharedLedger();
  SharedLedger(const SharedLedger&) = delete;
  SharedLedger& operator=(const SharedLedger&) = delete;
  Ledger& operator*() const { return *ledger_; }
  Ledger* operator->() const { return ledger_; }
  int file() const { return file_; }

 private:
  int file_ = -1;
  Ledger* ledger_ = nullptr;
};

/// Puts the counter into a process that was stopped at its first instruction by ptrace(2), and lets it go: the
/// program's environment, files and memory stay as they are. Throws std::runtime_error, one line.
void inject_counter(pid_t process, const std::filesystem::path& counter, const SharedLedger& ledger);

}  // namespace roofline::any_program
