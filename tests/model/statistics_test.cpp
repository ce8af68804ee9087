#include "bench/model/statistics.hpp"

#include <gtest/gtest.h>

#include <numeric>
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

// ceil((n - 1.96 sqrt n)/2) and ceil(1 + (n + 1.96 sqrt n)/2), by hand: n = 9: ceil(1.56), ceil(8.44);
// n = 25: ceil(7.6), ceil(18.4); n = 100: ceil(40.2), ceil(60.8).
TEST(MedianInterval, HasTheKnownRanks) {
  using Known = std::tuple<int, double, double, double>;
  for (const auto& [n, low, middle, high] : {Known{9, 2, 5, 9},
                                             {10, 2, 5.5, 10},
                                             {16, 5, 8.5, 13},
                                             {25, 8, 13, 19},
                                             {100, 41, 50.5, 61},
                                             {10000, 4902, 5000.5, 5099}}) {
    const auto interval = median_interval(ranks(n));
    EXPECT_EQ(interval.median, middle) << n;
    EXPECT_EQ(interval.low, low) << n;
    EXPECT_EQ(interval.high, high) << n;
  }
}

TEST(MedianInterval, SmallSamplesGiveTheirWholeRange) {
  for (int n = 1; n <= 6; ++n) {
    const auto interval = median_interval(ranks(n));
    EXPECT_EQ(interval.low, 1) << n;
    EXPECT_EQ(interval.high, n) << n;
  }
}

TEST(MedianInterval, BracketsTheMedian) {
  for (int n = 1; n < 200; ++n) {
    const auto interval = median_interval(ranks(n));
    EXPECT_LE(interval.low, interval.median) << n;
    EXPECT_LE(interval.median, interval.high) << n;
  }
}

}  // namespace
}  // namespace roofline::statistics_test
