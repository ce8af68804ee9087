#include "bench/run/samples.hpp"

#include <gtest/gtest.h>

namespace roofline {
namespace {

const Disturbance none, busy{"", "others"}, robbed{"switches", "others"};

std::vector<double> seconds(const Samples::Chosen& chosen) {
  std::vector<double> result;
  for (const auto& sample : chosen.samples) result.push_back(sample.seconds);
  return result;
}

Samples some() {
  Samples samples;
  samples.add({1}, robbed), samples.add({2}, none), samples.add({3}, busy), samples.add({4}, robbed),
      samples.add({5}, none);
  return samples;
}

TEST(Samples, AreAllKeptWhereNoneIsReplaced) {
  const auto chosen = some().chosen(2, false);
  EXPECT_EQ(seconds(chosen), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(chosen.disturbed_share, 0.6);
}

TEST(Samples, DisturbedOnesAreNotAmongEnoughGoodOnes) {
  const auto chosen = some().chosen(2, true);
  EXPECT_EQ(seconds(chosen), (std::vector<double>{2, 5}));
  EXPECT_EQ(chosen.disturbed_share, 0);
}

TEST(Samples, TheLeastDisturbedFillUp) {
  EXPECT_EQ(seconds(some().chosen(3, true)), (std::vector<double>{2, 3, 5}));
  const auto four = some().chosen(4, true);
  EXPECT_EQ(seconds(four), (std::vector<double>{1, 2, 3, 5}));
  EXPECT_EQ(four.disturbed_share, 0.5);
}

}  // namespace
}  // namespace roofline
