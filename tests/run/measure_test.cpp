#include "bench/run/measure.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "bench/machine/clocks.hpp"
#include "bench/machine/core_waits.hpp"

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

TEST(Measure, DisturbedSamplesMayHaveTakenNoMoreThanWithoutWaitingForACore) {
  const std::vector<double> samples{4, 5, 6}, without{2, 4, 3};
  EXPECT_EQ(interval_of(samples, 0.5, without).low, 2);
  EXPECT_EQ(interval_of(samples, 0.5, without).median, 5);
  EXPECT_EQ(interval_of(samples, 0.5, without).high, 6);
  EXPECT_EQ(interval_of(samples, 0.1, without).low, 4) << "a rank interval stands few disturbed ones";
}

/// Seconds until the calling thread has had its core for 10 ms.
double time_of_ten_milliseconds(int batch) {
  const auto start = Clock::now();
  const double end = seconds_of(CLOCK_THREAD_CPUTIME_ID) + 0.01 * batch;
  while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < end) {
  }
  return seconds_since(start);
}

TEST(Measure, BesideARivalOnItsCoreTheIntervalHoldsTheTimeWithoutIt) {
  Measurement m;
  std::thread([&] {  // a thread of its own, so that the tests after this one are not pinned
    omp_set_num_threads(1);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    if (core_waits().empty()) GTEST_SKIP() << "this system does not tell";
    std::atomic<bool> over = false;
    std::thread rival([&] {
      while (!over) {
      }
    });
    m = measure(time_of_ten_milliseconds, {.max_seconds = 0.2, .give_up_seconds = 0.3, .replace_seconds = 0.2});
    over = true;
    rival.join();
  })
      .join();
  if (m.seconds.empty()) return;
  EXPECT_EQ(m.contaminated, 1);
  EXPECT_GT(m.interval().median, 0.013);
  EXPECT_LT(m.interval().low, 0.0125);
  // The rival may have had the core right before or after a sample, too: not all of them, but the usual one, say 10 ms.
  EXPECT_GT(median(m.least), 0.0095);
  EXPECT_LT(median(m.least), 0.0125);
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
  const auto m = measure([&](int batch) { return 2e-3 * batch / pace; }, {.max_seconds = 0.01, .watch = false},
                         {.pace = [&] { return pace = pace == 1 ? 0.5 : 1; }});
  ASSERT_EQ(m.paces.size(), m.seconds.size());
  KernelPoint point;
  note_samples(point, m);
  ASSERT_TRUE(point.paced_time);
  EXPECT_DOUBLE_EQ(point.paced_time->low, 2e-3) << "kernel and memory move together: their product does not";
  EXPECT_DOUBLE_EQ(point.paced_time->high, 2e-3);
  EXPECT_LT(point.dram_pace->mean(), 1);
}

TEST(Measure, APaceThatTheLaunchDoesNotFollowIsNotThatOfItsMemory) {
  const std::vector<double> steady{29.6, 29.4, 29.1, 28.4, 28.6, 29.5}, jumping{1.0, 1.02, 0.99, 0.6, 0.74, 0.7};
  EXPECT_TRUE(is_refuted(steady, jumping));
  EXPECT_FALSE(is_refuted({29, 28, 30, 48, 39, 41}, jumping)) << "slow where memory was";
  EXPECT_FALSE(is_refuted(steady, {1.0, 1.02, 0.99, 0.97, 1.03, 1.0})) << "hardly a jump";
  EXPECT_FALSE(is_refuted({29, 48, 30, 60, 39, 22}, {1, 1, 0.9, 1, 1.1, 0.8})) << "the launch jumps by itself";
  EXPECT_FALSE(is_refuted({1, 1}, {1, 0.5})) << "two tell nothing";
  EXPECT_FALSE(is_refuted(steady, {}));
  EXPECT_EQ(held_pace(jumping), 1);
  EXPECT_EQ(held_pace({1.8, 1.1, 1.75, 1.0, 1.7}), 1.75);
  EXPECT_EQ(held_pace({0.3, 0.56, 0.31, 0.57}), 0.56) << "the cores lie elsewhere than for the ceiling";
}

TEST(Measure, ARefutedPaceIsHeldAlsoWhereOneTurnOfTwoHadIt) {
  Measurement m;
  m.seconds = {0.0290, 0.0291, 0.0289, 0.0290}, m.paces = {1, 1.01, 1, 0.99};
  KernelPoint first, second;
  first.time = second.time = {0.029, 0.0289, 0.0291};
  note_samples(first, m);
  EXPECT_FALSE(first.pace_refuted);
  m.paces = {0.7, 0.71, 0.7, 0.69};
  note_samples(second, m);
  EXPECT_FALSE(second.pace_refuted) << "steady by itself";
  EXPECT_NEAR(second.dram_pace->mean(), 0.7, 0.01);
  join(second, first);
  EXPECT_TRUE(second.pace_refuted);
  EXPECT_EQ(second.dram_pace->mean(), 1);  // of 0.69 to 1.01
  EXPECT_DOUBLE_EQ(second.paced_time->median, 0.029);
  EXPECT_DOUBLE_EQ(second.paced_turns->first.median, 0.029);

  KernelPoint jumping, quiet;
  jumping.time = quiet.time = first.time;
  m.paces = {1, 0.5, 0.4, 1};
  note_samples(jumping, m);
  EXPECT_TRUE(jumping.pace_refuted);
  m.seconds.resize(40, 0.029), m.paces.assign(40, 1.0);
  note_samples(quiet, m);
  join(quiet, jumping);
  EXPECT_TRUE(quiet.pace_refuted) << "of one turn, whatever all of them say";
  EXPECT_EQ(quiet.dram_pace->mean(), 1);
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
