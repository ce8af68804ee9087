#include "bench/model/turn_spread.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace roofline {
namespace {

Turns turns(double first, double second) { return {{first, first, first}, {second, second, second}}; }

/// Rows whose turns have a standard deviation of `spread`.
std::vector<Turns> drifting(int rows, double spread) {
  std::mt19937 random(1);
  std::normal_distribution<double> deviation(0, spread);
  std::vector<Turns> pairs;
  for (int i = 0; i < rows; ++i)
    pairs.push_back(turns(3 * std::exp(deviation(random)), 3 * std::exp(deviation(random))));
  return pairs;
}

TEST(TurnSpread, IsTheStandardDeviationOfATurn) {
  EXPECT_NEAR(*turn_spread(drifting(4000, 0.05)), 0.05, 0.002);
  EXPECT_NEAR(*turn_spread(drifting(4000, 0.002)), 0.002, 0.0001);
}

TEST(TurnSpread, IsNotBentByTheRowThatMetAnEvent) {
  auto pairs = drifting(40, 0.001);
  for (int i = 0; i < 3; ++i) pairs[i] = turns(1, 2);
  EXPECT_LT(*turn_spread(pairs), 0.002);
}

TEST(TurnSpread, IsNotKnownFromAFewRows) {
  EXPECT_FALSE(turn_spread({}));
  EXPECT_FALSE(turn_spread(drifting(7, 0.05)));
  EXPECT_TRUE(turn_spread(drifting(8, 0.05)));
}

TEST(TurnSpread, IntervalsHoldTheTruthAsOftenAsTheySay) {
  constexpr double spread = 0.04;
  std::mt19937 random(2);
  std::normal_distribution<double> deviation(0, spread);
  for (const int n : {1, 2}) {
    int held = 0;
    constexpr int rows = 4000;
    for (int row = 0; row < rows; ++row) {
      double mean = 0;
      for (int turn = 0; turn < n; ++turn) mean += std::exp(deviation(random)) / n;
      const auto interval = widened({mean, mean, mean}, half_width_of_turns(spread, n));
      held += interval.low <= 1 && 1 <= interval.high;
    }
    EXPECT_NEAR(static_cast<double>(held) / rows, 0.95, 0.01) << n << " turns";
  }
}

TEST(TurnSpread, NeverNarrowsAnInterval) {
  const auto wide = widened({1, 0.5, 3}, 0.01);
  EXPECT_EQ(wide.low, 0.5);
  EXPECT_EQ(wide.high, 3);
  EXPECT_EQ(wide.median, 1);
}

}  // namespace
}  // namespace roofline
