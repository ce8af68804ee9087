#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bench/space/workload.hpp"

namespace roofline::compare_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether ten ones pass of which the last is `got` where `expected` should be.
bool passes(double got, double expected, double tolerance) {
  std::vector<double> values(10, 1);
  values.back() = got;
  return compare(
             values.data(), [&](Index i) { return i == 9 ? expected : 1; }, 10, tolerance)
      .ok;
}

TEST(ComparedNumbers, PassWhereTheyLieWithinTheToleranceOnBothSides) {
  EXPECT_TRUE(passes(1, 1, 0));
  EXPECT_TRUE(passes(1.009, 1, 0.01));
  EXPECT_TRUE(passes(0.991, 1, 0.01));
  EXPECT_FALSE(passes(1.011, 1, 0.01));
  EXPECT_FALSE(passes(0.989, 1, 0.01));
  EXPECT_FALSE(passes(-1, 1, 0.01));
}

/// Also where the reference is none: a bound that is relative to it would let everything through.
TEST(ComparedNumbers, PassOnlyWhereBothAreFinite) {
  for (const double tolerance : {0.0, 1e-9, 1.0}) {
    for (const double none : {std::nan(""), infinity, -infinity})
      for (const double other : {1.0, none}) {
        EXPECT_FALSE(passes(none, other, tolerance)) << none << " for " << other;
        EXPECT_FALSE(passes(other, none, tolerance)) << other << " for " << none;
      }
    EXPECT_FALSE(passes(infinity, -infinity, tolerance));
  }
}

}  // namespace
}  // namespace roofline::compare_test
