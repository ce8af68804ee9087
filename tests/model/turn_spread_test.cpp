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

TEST(TurnSpread, IsNotBentByOneRowInTenThatMetAnEvent) {
  for (const int rows : {10, 20, 40}) {
    auto pairs = drifting(rows, 0.001);
    for (int i = 0; i < rows / 10; ++i) pairs[static_cast<std::size_t>(i)] = turns(1, 2);
    EXPECT_LT(*turn_spread(pairs), 0.003) << rows;
  }
}

TEST(TurnSpread, IsNotKnownFromAFewRows) {
  EXPECT_FALSE(turn_spread({}));
  EXPECT_FALSE(turn_spread(drifting(3, 0.05)));
  EXPECT_TRUE(turn_spread(drifting(4, 0.05)));
}

TEST(TurnSpread, IntervalsHoldTheTruthAsOftenAsTheySay) {
  // The spread from the rows of one run, some of which have but one turn, as in a run.
  constexpr int runs = 400, rows = 40;
  constexpr double spread = 0.04;
  std::mt19937 random(2);
  std::normal_distribution<double> deviation(0, spread);
  int held[3] = {}, all[3] = {};
  for (int run = 0; run < runs; ++run) {
    std::vector<Turns> pairs;
    for (int row = 0; row < rows; ++row)
      pairs.push_back(turns(std::exp(deviation(random)), std::exp(deviation(random))));
    const auto known = turn_spread({pairs.begin(), pairs.begin() + rows / 2});
    for (int row = 0; row < rows; ++row) {
      const auto& [first, second] = pairs[static_cast<std::size_t>(row)];
      const int n = row < rows / 2 ? 2 : 1;
      const double mean = n == 2 ? (first.median + second.median) / 2 : first.median;
      const auto interval = widened({mean, mean, mean}, half_width_of_turns(*known, n));
      held[n] += interval.low <= 1 && 1 <= interval.high, ++all[n];
    }
  }
  EXPECT_NEAR(static_cast<double>(held[1]) / all[1], 0.94, 0.02);
  EXPECT_NEAR(static_cast<double>(held[2]) / all[2], 0.94, 0.02);
}

TEST(TurnSpread, OfFourRowsHoldsTheTruthNearlyAsOften) {
  int held = 0;
  constexpr int runs = 4000;
  std::mt19937 random(3);
  std::normal_distribution<double> deviation(0, 0.04);
  for (int run = 0; run < runs; ++run) {
    std::vector<Turns> pairs;
    for (int row = 0; row < 4; ++row) pairs.push_back(turns(std::exp(deviation(random)), std::exp(deviation(random))));
    const double one = std::exp(deviation(random));
    const auto interval = widened({one, one, one}, half_width_of_turns(*turn_spread(pairs), 1));
    held += interval.low <= 1 && 1 <= interval.high;
  }
  EXPECT_NEAR(static_cast<double>(held) / runs, 0.89, 0.02);
}

TEST(TurnSpread, NeverNarrowsAnInterval) {
  const auto wide = widened({1, 0.5, 3}, 0.01);
  EXPECT_EQ(wide.low, 0.5);
  EXPECT_EQ(wide.high, 3);
  EXPECT_EQ(wide.median, 1);
}

}  // namespace
}  // namespace roofline
