#include "bench/model/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

// By tables of the signed-rank test at 5 %, two-sided: sums of ranks up to 0 of 6, 3 of 8, 5 of 9, 8 of 10, 13 of 12,
// 52 of 20. So the first, fourth, sixth, ... of the means of all pairs.
TEST(MiddleInterval, HasTheRanksOfPublishedTables) {
  for (const auto& [n, rank] : {std::tuple{6, 1}, {8, 4}, {9, 6}, {10, 9}, {12, 14}, {20, 53}}) {
    std::vector<double> sample, means;
    for (int i = 0; i < n; ++i) sample.push_back(i * i);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k <= i; ++k) means.push_back((i * i + k * k) / 2.0);
    std::sort(means.begin(), means.end());
    const auto interval = middle_interval(sample);
    EXPECT_EQ(interval.low, means[static_cast<std::size_t>(rank - 1)]) << n;
    EXPECT_EQ(interval.high, means[means.size() - static_cast<std::size_t>(rank)]) << n;
    EXPECT_EQ(interval.median, median(means)) << n;
  }
}

TEST(MiddleInterval, OfFewValuesIsTheirRangeAndOfManyAQuarterMayBeOutliers) {
  const auto few = middle_interval({3, 1, 2});
  EXPECT_EQ(few.low, 1);
  EXPECT_EQ(few.high, 3);
  EXPECT_NEAR(middle_interval({1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 50, 50, 50}).median, 1.05, 0.02);
}

// Ranks of the differences by tables of the rank-sum test: U <= 2 of 5 and 5, 13 of 8 and 8, 127 of 20 and 20 at 5 %,
// two-sided; so the third smallest difference, the fourteenth, the 128th.
TEST(ShiftInterval, HasTheRanksOfPublishedTables) {
  for (const auto& [n, rank] : {std::tuple{5, 3}, {8, 14}, {20, 128}}) {
    std::vector<double> base, next, differences;
    for (int i = 0; i < n; ++i) base.push_back(i * i), next.push_back(1000 * i);
    for (const double b : base)
      for (const double x : next) differences.push_back(x - b);
    std::sort(differences.begin(), differences.end());
    const auto interval = shift_interval({{base, next}}, 0.95).value();
    EXPECT_EQ(interval.low, differences[static_cast<std::size_t>(rank - 1)]) << n;
    EXPECT_EQ(interval.high, differences[differences.size() - static_cast<std::size_t>(rank)]) << n;
  }
}

TEST(ShiftInterval, IsAbsentWhereEvenTheWholeRangeIsNotOfThatConfidence) {
  // The smallest chance of 6 and 6 is 2 in 924, of 3 and 3 it is 2 in 20.
  EXPECT_TRUE(shift_interval({{ranks(6), ranks(6)}}, 1 - 2.01 / 924));
  EXPECT_FALSE(shift_interval({{ranks(6), ranks(6)}}, 1 - 1.99 / 924));
  EXPECT_TRUE(shift_interval({{ranks(4), ranks(4)}}, 0.95));
  EXPECT_FALSE(shift_interval({{ranks(3), ranks(3)}}, 0.95));
  EXPECT_FALSE(shift_interval({{{}, ranks(9)}}, 0.5));
}

TEST(ShiftInterval, IsTheShiftOfASampleAgainstItself) {
  auto next = ranks(12);
  for (auto& value : next) value += 0.25;
  const auto interval = shift_interval({{ranks(12), next}}, 0.95).value();
  EXPECT_DOUBLE_EQ(interval.median, 0.25);
  EXPECT_LT(interval.low, 0.25);
  EXPECT_GT(interval.high, 0.25);
}

TEST(ShiftInterval, ComparesValuesWithinTheirStratum) {
  const auto from = [](double first) { return std::vector{first, first + 0.01, first + 0.02, first + 0.03}; };
  // The strata lie far apart, and one side has more of the upper one: pooled, `next` would be 50 above.
  const std::vector<TwoSamples> strata{{from(0), from(1)}, {{100}, from(101)}};
  const auto interval = shift_interval(strata, 0.95).value();
  EXPECT_NEAR(interval.median, 1, 0.02);
  EXPECT_GT(interval.low, 0.95);
  EXPECT_LT(interval.high, 1.05);
}

TEST(ShiftInterval, HasTheChancesOfBothStrataTogether) {
  // Of the 20 x 20 orders of two strata of 3 and 3 one is the smallest.
  EXPECT_TRUE(shift_interval({{ranks(3), ranks(3)}, {ranks(3), ranks(3)}}, 1 - 2.01 / 400));
  EXPECT_FALSE(shift_interval({{ranks(3), ranks(3)}, {ranks(3), ranks(3)}}, 1 - 1.99 / 400));
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

TEST(TTest, QuantilesAreThoseOfTables) {
  EXPECT_NEAR(student_quantile(0.2, 1e6), 1.2816, 1e-3);
  EXPECT_NEAR(student_quantile(1e-6, 1e6), 4.8916, 1e-3);
  EXPECT_NEAR(student_quantile(0.05, 5), 2.5706, 1e-3);
  EXPECT_NEAR(student_quantile(1, 5), 0, 1e-9);
}

TEST(TTest, IntervalsOfTheMeanHaveThePublishedQuantiles) {
  const std::vector<double> values{0.01, 0.02, 0.04, 0.05, 0.03};
  const auto interval = mean_interval(values), surer = mean_interval(values, 0.99);
  EXPECT_DOUBLE_EQ(interval.median, 0.03);
  EXPECT_NEAR(interval.high - interval.low, 2 * 2.776 * 0.0070711, 1e-5);
  EXPECT_NEAR(surer.high - surer.low, 2 * 4.604 * 0.0070711, 1e-5);
  EXPECT_NEAR(mean_interval({0, 2}, 0.999).high, 1 + 636.6, 0.1);
}

}  // namespace
}  // namespace roofline::statistics_test
