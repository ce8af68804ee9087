#include "bench/run/time_keeper.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace roofline {
namespace {

TEST(TimeKeeper, ARunWithoutALimitIsNeverLate) {
  const TimeKeeper all_day(0);
  EXPECT_FALSE(all_day.limited());
  EXPECT_FALSE(all_day.ceilings_are_late());
  EXPECT_EQ(all_day.share(1000, 0.5), 0.5);
  EXPECT_EQ(all_day.share_of_ceiling(1000, 2), 2);
}

TEST(TimeKeeper, CeilingsLeaveMostOfTheTimeToKernels) {
  const TimeKeeper time(1000);
  constexpr int rows = 40;
  EXPECT_LT(rows * time.share_of_ceiling(rows, 100), 0.5 * time.seconds()) << "were all of them slow";
  EXPECT_EQ(time.share_of_ceiling(rows, 2), 2) << "as they usually are";
  EXPECT_EQ(time.share_of_ceiling(0, 2), 2);
}

TEST(TimeKeeper, WhatIsUsedUpIsNotSharedOut) {
  const TimeKeeper over(1e-9);
  EXPECT_TRUE(over.ceilings_are_late());
  EXPECT_EQ(over.share_of_ceiling(10, 2), 0);
  EXPECT_EQ(over.share(10, 2), 0);
}

TEST(EvenShare, PicksThatShareAllAlong) {
  EvenShare third;
  std::vector<int> picked;
  for (int i = 0; i < 9; ++i)
    if (third.picks(0.34)) picked.push_back(i);
  EXPECT_EQ(picked, (std::vector<int>{2, 5, 8}));
  EvenShare all, none;
  for (int i = 0; i < 9; ++i) {
    EXPECT_TRUE(all.picks(1.7));
    EXPECT_FALSE(none.picks(-0.5));
  }
}

}  // namespace
}  // namespace roofline
