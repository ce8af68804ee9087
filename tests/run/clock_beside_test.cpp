#include "bench/run/clock_beside.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace roofline {
namespace {

TEST(ClockBeside, LooksNowAndThenAndTellsTheMean) {
  int looks = 0, launches = 0;
  ClockBeside clock([&] { return std::vector<double>{4e9, 1e9, 4e9}.at(static_cast<std::size_t>(looks++)); });
  const auto timer = clock.watching([&](int batch) {
    launches += batch;
    return 0.5;
  });
  EXPECT_EQ(looks, 1) << "before the first launch";
  for (int i = 0; i < 10; ++i) EXPECT_EQ(timer(2), 0.5);
  EXPECT_EQ(launches, 20);
  EXPECT_LE(looks, 2) << "ten launches in no time";
  while (looks < 3) {
    std::this_thread::sleep_for(std::chrono::milliseconds(55));
    timer(1);
  }
  EXPECT_EQ(clock.mean(), 3e9);
}

TEST(ClockBeside, KnowsNothingWithoutAClock) {
  ClockBeside clock({});
  EXPECT_EQ(clock.watching([](int) { return 0.25; })(1), 0.25);
  EXPECT_EQ(clock.mean(), 0);
}

}  // namespace
}  // namespace roofline
