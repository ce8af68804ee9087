#include "bench/model/t_test.hpp"

#include <gtest/gtest.h>

namespace roofline::t_test_test {
namespace {

// Quantiles from published tables of Student's t.

TEST(TTest, AgreesWithPublishedTables) {
  struct Entry {
    int degrees;
    double t, p;
  };
  for (const auto& [degrees, t, p] : {Entry{1, 12.706, 0.05}, Entry{2, 4.303, 0.05}, Entry{3, 3.182, 0.05},
                                      Entry{4, 2.776, 0.05}, Entry{5, 4.032, 0.01}, Entry{7, 5.408, 0.001},
                                      Entry{10, 2.228, 0.05}, Entry{10, 4.587, 0.001}, Entry{29, 2.045, 0.05}})
    EXPECT_NEAR(student_p(t, degrees) / p, 1, 2e-3) << t << " with " << degrees;
  EXPECT_EQ(student_p(0, 3), 1);
  EXPECT_EQ(student_p(-2.5, 4), student_p(2.5, 4));
}

TEST(TTest, AnIntervalThatJustHoldsZeroHasAPOfFivePercent) {
  const std::vector<double> values{0.01, 0.02, 0.04, 0.05, 0.03};
  const auto interval = mean_interval(values);
  EXPECT_DOUBLE_EQ(interval.median, 0.03);
  EXPECT_NEAR(interval.high - interval.low, 2 * 2.776 * 0.0070711, 1e-5);
  auto shifted = values;
  for (auto& value : shifted) value -= interval.low;
  EXPECT_NEAR(t_test_p(shifted), 0.05, 1e-9);
  EXPECT_EQ(t_test_p({0.1, 0.1}), 1);
}

}  // namespace
}  // namespace roofline::t_test_test
