#include "bench/model/rank_tests.hpp"

#include <gtest/gtest.h>

namespace roofline::rank_tests_test {
namespace {

// Values from tables of the tests.

TEST(RankTests, AgreeWithPublishedTables) {
  EXPECT_DOUBLE_EQ(signed_rank_p({1, 2, 3, 4, 5, 6}), 2 / 64.0);
  EXPECT_DOUBLE_EQ(signed_rank_p({-1, 2, 3, 4, 5, 6}), 4 / 64.0);
  EXPECT_DOUBLE_EQ(signed_rank_p({0, 0}), 1);
  EXPECT_DOUBLE_EQ(rank_sum_p({1, 2, 3, 4}, {5, 6, 7, 8}), 2 / 70.0);
  EXPECT_DOUBLE_EQ(rank_sum_p({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 2 / 252.0);
  EXPECT_DOUBLE_EQ(rank_sum_p({1, 1, 1}, {1, 1, 1}), 1);
  EXPECT_NEAR(least_paired_p(5), 4 / 252.0, 1e-12);
  EXPECT_NEAR(least_paired_p(7), paired_p({1, 2, 3, 4, 5, 6, 7}, {11, 12, 13, 14, 15, 16, 17}), 1e-12);
}

TEST(RankTests, TheLeastPIsReachedWithManyPairsToo) {
  for (const int pairs : {20, 21}) {
    std::vector<double> base(static_cast<std::size_t>(pairs)), next;
    for (std::size_t i = 0; i < base.size(); ++i) base[i] = static_cast<double>(i), next.push_back(100 + 2 * base[i]);
    EXPECT_NEAR(least_paired_p(pairs) / paired_p(base, next), 1, 1e-9) << pairs;
  }
}

TEST(RankTests, HolmStepsDown) {
  const auto adjusted = holm({0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12) << i;
}

TEST(RankTests, AnIntervalOfTheMedianNeedsSixValues) {
  EXPECT_FALSE(exact_median_interval({1, 2, 3, 4, 5}));
  const auto six = exact_median_interval({1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(six);
  EXPECT_EQ(six->low, 1);
  EXPECT_EQ(six->high, 6);
  const auto nine = exact_median_interval({1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(nine->low, 2);
  EXPECT_EQ(nine->high, 8);
}

}  // namespace
}  // namespace roofline::rank_tests_test
