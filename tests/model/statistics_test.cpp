#include "bench/model/statistics.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "bench/model/kernel_point.hpp"

namespace roofline::statistics_test {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({5}), 5);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({1, 1, 1000}), 1);
}

/// The sample 1, 2, ..., n shuffled, so that a value is its rank.
std::vector<double> ranks(int n) {
  std::vector<double> sample(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) sample[static_cast<std::size_t>(i)] = 1 + (i * 7919) % n;
  return sample;
}

// By tables of the binomial distribution: 2 P(X <= 1) = 3.9 % of 9, 2 P(X <= 7) = 4.3 % of 25, 2 P(X <= 39) = 3.5 % of
// 100.
TEST(MedianInterval, HasTheKnownRanks) {
  using Known = std::tuple<int, double, double, double>;
  for (const auto& [n, low, middle, high] : {Known{1, 1, 1, 1},
                                             {2, 1, 1.5, 2},
                                             {6, 1, 3.5, 6},
                                             {9, 2, 5, 8},
                                             {10, 2, 5.5, 9},
                                             {8, 1, 4.5, 8},
                                             {16, 4, 8.5, 13},
                                             {25, 8, 13, 18},
                                             {100, 40, 50.5, 61},
                                             {10000, 4902, 5000.5, 5099}}) {
    const auto interval = median_interval(ranks(n));
    EXPECT_EQ(interval.median, middle) << n;
    EXPECT_EQ(interval.low, low) << n;
    EXPECT_EQ(interval.high, high) << n;
    EXPECT_EQ(exact_median_interval(ranks(n)).has_value(), n >= 6) << n;
  }
}

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
}  // namespace roofline::statistics_test
