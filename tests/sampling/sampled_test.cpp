#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "bench/machine/interrupt.hpp"
#include "bench/sampling/ceiling_works.hpp"

namespace roofline::sampled_test {
namespace {

/// A launch of so many seconds by its own account, which notes its batches.
struct Launches {
  double seconds;
  std::vector<int> batches = {};
  Timer timer() {
    return [this](int batch) {
      batches.push_back(batch);
      return seconds * batch;
    };
  }
};

TEST(Sampled, AShortLaunchIsTimedManyTimesAtOnce) {
  Launches launches{1e-6};
  auto short_one = sampled(launches.timer(), 5e-3);
  EXPECT_NEAR(short_one.batch, 5000, 50);
  EXPECT_DOUBLE_EQ(sample(short_one), 1e-6);
}

TEST(Sampled, WhatACallCostsIsNoPartOfAShortLaunch) {
  const auto launch = sampled([](int batch) { return 9e-6 + 1e-6 * batch; }, 5e-3);
  EXPECT_NEAR(launch.batch, 5000, 50);
}

TEST(Sampled, ALongLaunchIsTimedAlone) {
  Launches launches{0.1};
  auto long_one = sampled(launches.timer(), 5e-3);
  EXPECT_EQ(long_one.batch, 1);
  EXPECT_EQ(launches.batches.size(), 1u) << "a second sample would cost a tenth of a second";
}

TEST(Sampled, ALaunchThatIsNotTimedBringsItsDataBack) {
  Launches launches{1e-3};
  auto launch = sampled(launches.timer(), 5e-3);
  launches.batches.clear();
  sample(launch);
  EXPECT_EQ(launches.batches, (std::vector<int>{1, 5}));
  launches.seconds = launch.seconds = 30e-3;
  launches.batches.clear();
  sample(launch);
  EXPECT_EQ(launches.batches, std::vector<int>{5}) << "it moves so much that the caches are its own";
}

TEST(Sampled, ACacheThatIsSharedIsFilledOnceByManyLaunches) {
  Launches launches{1e-4};
  auto launch = sampled(launches.timer(), 5e-3);
  launch.source = DataSource::shared_cache;
  launches.batches.clear();
  sample(launch);
  sample(launch);
  EXPECT_EQ(launches.batches, (std::vector<int>{100, 50, 1, 50}));
  launch.source = DataSource::memory;
  launches.batches.clear();
  sample(launch);
  EXPECT_EQ(launches.batches, std::vector<int>{50});
}

TEST(Sampled, AFirstLaunchThatIsSlowDecidesNothing) {
  int launches = 0;
  auto launch = sampled([&](int batch) { return (launches++ == 0 ? 1e-3 : 1e-5) * batch; }, 5e-3);
  EXPECT_NEAR(launch.batch, 500, 5);
}

TEST(Sampled, APartOfALoadIsNoSustainedCeiling) {
  CeilingVariant variant;
  variant.make = {[] {
    CeilingWork work;
    work.launch = [] {};
    work.time = [](int batch) { return std::raise(SIGINT), 1e-2 * batch; };
    work.check = [] { return Check{}; };
    work.work = 1;
    return work;
  }};
  const auto interrupted_load = [&] {
    catch_interrupts();
    std::string failure;
    try {
      sustained(variant, failure);
    } catch (const Interrupted&) {
      ::_exit(7);
    }
    ::_exit(0);
  };
  EXPECT_EXIT(interrupted_load(), ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace roofline::sampled_test
