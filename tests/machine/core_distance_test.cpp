#include "bench/machine/core_distance.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <thread>

namespace roofline::core_distance_test {
namespace {

TEST(CoreDistance, IsThatOfACacheLineNotOfAFunctionCallOrATimeSlice) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one core";
  // Next to other programs the two threads seldom run at the same time, so it is asked for until they did.
  constexpr double longest = 3e-6;
  double shortest = 1;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (shortest > longest && std::chrono::steady_clock::now() < deadline) {
    if (const double distance = core_distance(2); distance > 0) shortest = std::min(shortest, distance);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_GT(shortest, 3e-9);
  EXPECT_LT(shortest, longest);
}

TEST(CoreDistance, IsUnknownOfOneThread) { EXPECT_EQ(core_distance(1), 0); }

TEST(CoreDistance, GivesUpWhereThreadsNeverRunAtTheSameTime) {
  cpu_set_t before, one;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &before) && CPU_COUNT(&one) == 0) CPU_SET(cpu, &one);
  std::thread([&] {  // its own team inherits the one core
    sched_setaffinity(0, sizeof one, &one);
    const auto start = std::chrono::steady_clock::now();
    core_distance(2);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 2);
  })
      .join();
}

TEST(CoreDistance, IsAlikeWithinNoise) {
  EXPECT_TRUE(lay_alike(28e-9, 33e-9));
  EXPECT_TRUE(lay_alike(170e-9, 264e-9));
  EXPECT_FALSE(lay_alike(28e-9, 170e-9));
  EXPECT_FALSE(lay_alike(170e-9, 28e-9));
  EXPECT_TRUE(lay_alike(0, 170e-9));
  EXPECT_TRUE(lay_alike(28e-9, 0));
}

}  // namespace
}  // namespace roofline::core_distance_test
