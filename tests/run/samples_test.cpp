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
  const auto chosen = some().chosen(2, false, 0);
  EXPECT_EQ(seconds(chosen), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(chosen.disturbed_share, 0.6);
}

TEST(Samples, DisturbedOnesAreNotAmongEnoughGoodOnes) {
  const auto chosen = some().chosen(2, true, 0);
  EXPECT_EQ(seconds(chosen), (std::vector<double>{2, 5}));
  EXPECT_EQ(chosen.disturbed_share, 0);
}

TEST(Samples, TheLeastDisturbedFillUp) {
  EXPECT_EQ(seconds(some().chosen(3, true, 0)), (std::vector<double>{2, 3, 5}));
  const auto four = some().chosen(4, true, 0);
  EXPECT_EQ(seconds(four), (std::vector<double>{1, 2, 3, 5}));
  EXPECT_EQ(four.disturbed_share, 0.5);
}

TEST(Samples, OfThoseThatLostTheirCoresTheOnesThatLostLeastFillUp) {
  Samples samples;
  for (const double least : {2.0, 3.9, 4.0, 1.0, 3.8}) samples.add({.seconds = 4, .least = least}, robbed);
  samples.add({5}, busy);
  std::vector<double> chosen;
  for (const auto& sample : samples.chosen(4, true, 0).samples) chosen.push_back(sample.least);
  EXPECT_EQ(chosen, (std::vector<double>{3.9, 4, 3.8, 0})) << "in the order in which they were taken";
  EXPECT_EQ(samples.chosen(3, false, 0).samples.size(), 6u);
}

constexpr double near = 30e-9, far = 150e-9;

TEST(Samples, AreOfOnePlacementAndRatherOfTheUsualOne) {
  Samples samples;
  samples.add({1, 1, far}, none), samples.add({2, 1, near}, none), samples.add({3, 1, 1.2 * far}, none);
  samples.add({4, 1, near}, busy), samples.add({5, 1, far}, none);
  EXPECT_EQ(seconds(samples.chosen(2, true, near)), (std::vector<double>{2, 4})) << "a disturbed one of the place";
  EXPECT_EQ(seconds(samples.chosen(3, true, near)), (std::vector<double>{1, 3, 5})) << "too few there";
  EXPECT_EQ(seconds(samples.chosen(3, true, far)), (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(samples.of_one_place(2, near), 2);
  EXPECT_EQ(samples.of_one_place(3, near), 3);
  EXPECT_EQ(samples.undisturbed(near), 1);
}

TEST(Samples, DuringWhichTheCoresMovedAreOfNoPlacement) {
  Samples samples;
  samples.add({1, 1, near, true}, none);
  EXPECT_EQ(seconds(samples.chosen(1, true, near)), (std::vector<double>{1})) << "there is no other one";
  samples.add({2, 1, near}, busy);
  EXPECT_EQ(seconds(samples.chosen(1, true, near)), (std::vector<double>{2}));
  EXPECT_EQ(samples.undisturbed(near), 0);
}

}  // namespace
}  // namespace roofline
