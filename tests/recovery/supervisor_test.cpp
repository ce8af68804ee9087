#include "bench/recovery/supervisor.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "bench/machine/interrupt.hpp"

namespace roofline::supervisor_test {
namespace {

/// A run over rows, of which one ends its process; every row that is measured appends its name to a file.
class Rows {
 public:
  Rows() {
    if (::pipe(ends_) != 0) throw std::runtime_error("no pipe");
  }
  ~Rows() { ::close(ends_[0]), ::close(ends_[1]); }

  int operator()(Records records, const std::string& bad, const std::function<void()>& end) const {
    int failures = 0;
    for (const std::string row : {"a", "b", "c"}) {
      if (!records.missing(row).empty()) {
        ++failures;
        EXPECT_EQ(row, bad);
        continue;
      }
      if (records.of_round(row, 0)) continue;
      records.begin(row);
      if (row == bad) end();
      if (::write(ends_[1], row.data(), 1) != 1) return 99;
      records.append({.row = row, .round = 0, .found = RowRound{{{0, 0, 1.0}}, {}}});
    }
    return failures ? 1 : 0;
  }
  std::string measured() const {
    char text[64];
    ::close(ends_[1]);
    const auto n = ::read(ends_[0], text, sizeof text);
    return {text, static_cast<std::size_t>(std::max<ssize_t>(0, n))};
  }

 private:
  int ends_[2];
};

TEST(Supervisor, ARowThatEndsItsProcessFailsAndTheOthersAreMeasuredOnce) {
  const auto hang = [] {
    for (;;) ::pause();
  };
  struct End {
    const char* row;
    std::function<void()> end;
    int code;
    const char* measured;
  };
  // As a kernel that hangs, or a second Ctrl-C: the run cannot say goodbye, and no other follows.
  const auto interrupted = [&] { ::kill(::getppid(), SIGINT), hang(); };
  for (const auto& [row, end, code, measured] : {End{"", [] {}, 0, "abc"},
                                                 {"b", [] { std::raise(SIGKILL); }, 1, "ac"},
                                                 {"c", [] { ::_exit(exit_device_lost); }, 1, "ab"},
                                                 {"a", hang, 1, "bc"},
                                                 {"b", interrupted, 128 + SIGINT, "a"}}) {
    const Rows rows;
    const auto run = [&](const Records& records) { return rows(records, row, end); };
    EXPECT_EQ(supervise(run, {.row_seconds = 1}), code) << measured;
    EXPECT_EQ(rows.measured(), measured);
  }
}

TEST(Supervisor, GivesUpWhenNothingCanBeLeftOut) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(supervise([](const Records&) { return std::raise(SIGKILL), 0; }), 128 + SIGKILL);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("the run ends"), std::string::npos);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(supervise([](const Records&) { return exit_device_lost; }, {.restarts = 3}), 1);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("took the GPU with it; the run ends"), std::string::npos);
}

TEST(Supervisor, InterruptsReachTheRunOnce) {
  const auto wait_for_signal = [](const Records&) {
    static volatile std::sig_atomic_t received = 0;
    std::signal(SIGINT, [](int) { received = received + 1; });
    // As when a process and its group are told: two at once are one.
    ::kill(::getppid(), SIGINT), ::kill(::getppid(), SIGINT);
    for (int i = 0; i < 1000 && !received; ++i) ::usleep(10000);
    ::usleep(20000);
    return 100 + received;
  };
  EXPECT_EQ(supervise(wait_for_signal), 101);
}

}  // namespace
}  // namespace roofline::supervisor_test
