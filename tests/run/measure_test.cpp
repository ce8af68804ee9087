#include "bench/run/measure.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace roofline {
namespace {

TEST(MeasureSustained, KeepsTheSecondHalfOfTheLoad) {
  int calls = 0;
  // A device that slows down: every launch takes a second longer than the one before.
  const auto m = measure_sustained([&](int batch) { return 1.0 * batch * ++calls; }, 0);
  ASSERT_EQ(m.batch, 1);
  ASSERT_GE(m.seconds.size(), 10u);
  const auto n = static_cast<double>(calls) - 1;  // one call decides on the batch
  EXPECT_EQ(m.seconds.back(), n + 1);
  EXPECT_EQ(m.seconds.front(), n / 2 + 2);
}

TEST(MeasureSustained, SamplesAreLongAgainstThePausesBetweenThem) {
  const auto m = measure_sustained([](int batch) { return 1e-3 * batch; }, 0);
  EXPECT_EQ(m.batch, 20);
}

TEST(Measure, TheIntervalOfDisturbedSamplesIsTheirRange) {
  std::vector<double> samples;
  for (int i = 1; i <= 100; ++i) samples.push_back(i);
  const auto quiet = interval_of(samples, 0.1), disturbed = interval_of(samples, 0.5);
  EXPECT_EQ(quiet.median, 50.5);
  EXPECT_GT(quiet.low, 38);
  EXPECT_LT(quiet.high, 63);
  EXPECT_EQ(disturbed.median, 50.5);
  EXPECT_EQ(disturbed.low, 1);
  EXPECT_EQ(disturbed.high, 100);
}

TEST(Measure, ABatchThatWasTooSmallIsMadeLarger) {
  int calls = 0;
  // The looks that decide on the batch are disturbed: a launch of a microsecond seems to take half a millisecond.
  const auto m = measure([&](int batch) { return ++calls <= 2 ? 5e-4 : 1e-6 * batch; }, {.max_seconds = 0.01});
  EXPECT_GE(m.batch, 1000);
  for (const double seconds : m.seconds) EXPECT_NEAR(seconds, 1e-6, 1e-12);
}

TEST(Measure, APaceIsAskedForBesideEverySample) {
  double pace = 1;
  const auto m = measure([&](int batch) { return 2e-3 * batch / pace; }, {.max_seconds = 0.01},
                         {.pace = [&] { return pace = pace == 1 ? 0.5 : 1; }});
  ASSERT_EQ(m.paces.size(), m.seconds.size());
  KernelPoint point;
  note_samples(point, m);
  ASSERT_TRUE(point.paced_time);
  EXPECT_DOUBLE_EQ(point.paced_time->low, 2e-3) << "kernel and memory move together: their product does not";
  EXPECT_DOUBLE_EQ(point.paced_time->high, 2e-3);
  EXPECT_LT(point.dram_pace->mean(), 1);
}

TEST(Measure, WhatPaceLeftInTheCachesIsClearedByALaunchOnlyWhereThatCounts) {
  const auto launches_per_sample = [](double seconds) {
    int calls = 0;
    const auto count = [&](int) { return ++calls, seconds; };
    const auto m = measure(count, {.max_seconds = 0, .watch = false}, {.pace = [] { return 1.0; }});
    return static_cast<double>(calls) / static_cast<double>(m.seconds.size());
  };
  EXPECT_GT(launches_per_sample(0.05), 2);
  EXPECT_LT(launches_per_sample(0.2), 1.5) << "it has filled them itself long before its end";
}

TEST(Measure, OnAMachineThatIsBusyBeyondReasonItGivesUpWithThreeSamples) {
  const auto slow = [](int) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return 0.02;
  };
  EXPECT_EQ(measure(slow, {.max_seconds = 0.01, .give_up_seconds = 0.01, .watch = false}).seconds.size(), 3u);
  EXPECT_EQ(measure(slow, {.max_seconds = 0.01, .watch = false}).seconds.size(), 9u);
}

TEST(Measure, SamplesAreOfOnePlacementOfTheCores) {
  // The cores move with every third look, and a launch takes twice as long where they lie near each other.
  int looks = 0;
  const auto is_near = [&] { return looks / 3 % 2 == 0; };
  Placement placement([&] { return ++looks, is_near() ? 30e-9 : 150e-9; });
  const auto m = measure([&](int batch) { return (is_near() ? 2e-3 : 1e-3) * batch; },
                         {.max_seconds = 0.01, .replace_seconds = 0.01, .watch = false}, {.placement = &placement});
  ASSERT_GE(m.seconds.size(), 9u);
  for (const double seconds : m.seconds) EXPECT_EQ(seconds, m.seconds.front());
  EXPECT_EQ(m.distance, m.seconds.front() == 2e-3 ? 30e-9 : 150e-9);
  EXPECT_GT(m.replaced, 0);
}

TEST(Measure, WithoutAPaceThereIsNoPacedTime) {
  KernelPoint point;
  note_samples(point, measure([](int batch) { return 2e-3 * batch; }, {.max_seconds = 0.01}));
  EXPECT_FALSE(point.paced_time);
  EXPECT_GE(point.sample_seconds.size(), 9u);
}

}  // namespace
}  // namespace roofline
