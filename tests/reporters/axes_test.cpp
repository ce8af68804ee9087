#include "reporters/drawing/axes.hpp"

#include <gtest/gtest.h>

namespace roofline::axes_test {
namespace {

TEST(Axes, PositionsAreLogarithmic) {
  const LogAxis axis{0.01, 100, 50, 450};
  EXPECT_DOUBLE_EQ(axis.position(0.01), 50);
  EXPECT_DOUBLE_EQ(axis.position(1), 250);
  EXPECT_DOUBLE_EQ(axis.position(100), 450);
  EXPECT_DOUBLE_EQ(axis.per_decade(), 100);
  EXPECT_NEAR(axis.value(axis.position(3.92)), 3.92, 1e-12);
}

TEST(Axes, AnAxisMayPointUp) {
  const LogAxis axis{1, 1000, 300, 0};
  EXPECT_DOUBLE_EQ(axis.position(10), 200);
  EXPECT_NEAR(axis.value(100), 100, 1e-9);
}

TEST(Axes, TicksLieOnTheAxis) {
  const LogAxis axis{0.05, 20, 0, 1};
  EXPECT_EQ(axis.decades(), (std::vector<double>{0.1, 1, 10}));
  EXPECT_NEAR(axis.minor_ticks().front(), 0.05, 1e-12);
  EXPECT_NEAR(axis.minor_ticks().back(), 20, 1e-9);
  EXPECT_EQ(axis.labelled_ticks(), axis.decades());
  EXPECT_EQ((LogAxis{1, 10, 0, 1}.labelled_ticks()), (std::vector<double>{1, 2, 5, 10}));
}

TEST(Axes, RangesIgnoreWhatHasNoLogarithm) {
  LogRange range;
  EXPECT_TRUE(range.empty());
  for (const double value : {0.0, -1.0, 1.0 / 0.0, 3.0, 0.5}) range.include(value);
  EXPECT_EQ(range.low, 0.5);
  EXPECT_EQ(range.high, 3);
}

TEST(Axes, PaddingKeepsTheMiddleAndAMinimalLength) {
  const LogRange narrow = LogRange{1, 1}.padded(1, 2);
  EXPECT_NEAR(narrow.low, 0.1, 1e-12);
  EXPECT_NEAR(narrow.high, 10, 1e-9);
  const LogRange wide = LogRange{1, 1000}.padded(2, 1);
  EXPECT_DOUBLE_EQ(wide.low, 0.5);
  EXPECT_DOUBLE_EQ(wide.high, 2000);
}

}  // namespace
}  // namespace roofline::axes_test
