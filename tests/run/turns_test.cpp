#include "bench/run/turns.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "bench/machine/interrupt.hpp"
#include "tests/command_line.hpp"

namespace roofline {
namespace {

TEST(SampleTurns, AskBeforeEverySampleAndAfterTheLast) {
  int sockets[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  ::setenv(turns_variable, std::to_string(sockets[0]).c_str(), 1);
  const auto turns = SampleTurns::from_environment();
  ::unsetenv(turns_variable);
  ASSERT_TRUE(turns);
  EXPECT_FALSE(SampleTurns::from_environment());
  ASSERT_EQ(::send(sockets[1], "ggs", 3, 0), 3);
  turns->announce({"a/1", "b"});
  int samples = 0;
  while (turns->next("a/1")) ++samples;
  EXPECT_EQ(samples, 2);
  char heard[100] = {};
  ASSERT_GT(::recv(sockets[1], heard, sizeof heard - 1, 0), 0);
  EXPECT_EQ(std::string(heard), "rows\ta/1\tb\nturn\ta/1\nturn\ta/1\nturn\ta/1\n");
  ::close(sockets[1]);
  EXPECT_FALSE(turns->next("b"));  // whoever shared out turns is gone
  ::close(sockets[0]);
}

TEST(SampleTurns, ASampleOfEachTurnIsKept) {
  int turns = 5, launches = 0;
  const auto time = [&](int batch) {
    launches += batch;
    return 0.01 * batch;
  };
  const auto m = measure_in_turns(
      time, [&] { return turns-- > 0; }, [] { return 0.5; });
  EXPECT_EQ(m.seconds, std::vector<double>(5, 0.01));
  EXPECT_EQ(m.paces, std::vector<double>(5, 0.5));
  EXPECT_EQ(m.batch, 1);
  EXPECT_GE(launches, 10);  // one before each, as another process has had the caches
  EXPECT_TRUE(m.converged);
  EXPECT_THROW(measure_in_turns(time, [] { return false; }), Interrupted);
}

TEST(SampleTurns, WhatIsNoSocketIsRefusedInALine) {
  const testing::Scratch folder;
  for (const auto* const wrong : {"0x", "", "-1", "77", "1"}) {
    const auto outcome = testing::shell(std::string(turns_variable) + "='" + wrong +
                                            "' '" ROOFLINE_BENCH "' --quick --benchmark_filter=stream/dot > out.txt",
                                        folder);
    EXPECT_EQ(outcome.code, 2) << wrong << outcome.err;
    EXPECT_NE(outcome.err.find("is no open socket"), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "roofline-out"));
  }
}

}  // namespace
}  // namespace roofline
