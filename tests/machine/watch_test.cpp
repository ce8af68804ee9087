#include "bench/machine/watch.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <thread>

#include "bench/machine/cpuset.hpp"

namespace roofline {
namespace {

using std::chrono::milliseconds;

TEST(Sample, HasItsCoreToItself) {
  EXPECT_EQ(judge({.wall = 1e-3, .cpu = 1e-3}), "");
  EXPECT_EQ(judge({.wall = 1e-3, .cpu = 0.981e-3}), "");
  EXPECT_EQ(judge({.wall = 1e-3, .cpu = 0.5e-3}), "the thread had 50 % of its core");
  EXPECT_NE(judge({.wall = 1e-3, .cpu = 0.979e-3}), "");
  EXPECT_NE(judge({.wall = 1, .cpu = 1, .throttled_periods = 1}), "");
}

TEST(Sample, SwitchCountsWhereItCanHaveCostTwoPercent) {
  EXPECT_EQ(judge({.wall = 1e-3, .cpu = 1e-3, .involuntary_switches = 1}), "1 involuntary context switch");
  EXPECT_EQ(judge({.wall = 50e-3, .cpu = 50e-3, .involuntary_switches = 1}), "");
  EXPECT_EQ(judge({.wall = 50e-3, .cpu = 50e-3, .involuntary_switches = 30}), "30 involuntary context switches");
}

TEST(Sample, AThreadThatWaitsForItsCoreLosesTime) {
  EXPECT_EQ(judge({.wall = 1e-3, .cpu = 1e-3, .waited = Waited{0.01e-3, 0.03e-3}}), "");
  EXPECT_EQ(judge({.wall = 1e-3, .cpu = 1e-3, .waited = Waited{0.3e-3, 0.4e-3}}),
            "a thread waited for its core during 30 % of the sample");
}

TEST(Sample, ACoreThatWasAwayWithoutAWaitWasTheHypervisors) {
  const Waited not_at_all;
  EXPECT_TRUE(taken_by_hypervisor({.wall = 1, .cpu = 0.7, .waited = not_at_all}));
  EXPECT_FALSE(taken_by_hypervisor({.wall = 1, .cpu = 0.7, .waited = Waited{0.3, 0.3}}));
  EXPECT_FALSE(taken_by_hypervisor({.wall = 1, .cpu = 0.7, .voluntary_switches = 1, .waited = not_at_all}));
  EXPECT_FALSE(taken_by_hypervisor({.wall = 1, .cpu = 0.7, .throttled_periods = 1, .waited = not_at_all}));
  EXPECT_FALSE(taken_by_hypervisor({.wall = 1, .cpu = 0.99, .waited = not_at_all}));
  EXPECT_FALSE(taken_by_hypervisor({.wall = 1, .cpu = 0.7})) << "not known";
}

TEST(SystemTime, IsReadFromProcStat) {
  const auto time = parse_proc_stat(
      "cpu  3362 1043 3565 376792 326 0 31 12 0 0\n"
      "cpu0 993 70 1382 190120 7 0 7 3 0 0\n"
      "cpu1 2369 973 2182 186671 318 0 23 8 0 0\n"
      "intr 152431 0 0\nctxt 287177\ncpufreq 1\n",
      100);
  ASSERT_TRUE(time);
  EXPECT_EQ(time->cpus, 2);
  EXPECT_DOUBLE_EQ(time->idle, 3771.18);
  EXPECT_DOUBLE_EQ(time->stolen, 0.12);
  EXPECT_DOUBLE_EQ(time->tick, 0.01);
}

TEST(SystemTime, AbsentWhereProcIsImitated) {
  EXPECT_FALSE(parse_proc_stat("", 100));
  EXPECT_FALSE(parse_proc_stat("cpu  1 2\n", 100));
  EXPECT_FALSE(parse_proc_stat("intr 5\n", 100));
  EXPECT_FALSE(parse_proc_stat("cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\nintr 0\n", 100));
}

// Truth 5 % of a 2-CPU machine's limit of 1 %: a tick now and then. One tick alone is no proof, a series is.
TEST(Overdraft, ProvesASmallSteadyExcessThatSingleTicksHide) {
  Overdraft steal;
  constexpr double tick = 0.01, interval = 0.02, allowed = 0.01 * 2 * interval;
  EXPECT_FALSE(steal.add(tick, allowed, tick));
  int seen = 0;
  for (int i = 0; i < 100; ++i) seen += steal.add(i % 5 == 4 ? tick : 0, allowed, tick);
  EXPECT_GT(seen, 80);
}

TEST(Overdraft, ForgivesATickNowAndThenAndABurstThatIsOver) {
  Overdraft steal;
  constexpr double tick = 0.01, allowed = 0.01 * 2 * 0.02;
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(steal.add(i % 30 == 0 ? tick : 0, allowed, tick)) << i;
  EXPECT_TRUE(steal.add(10, allowed, tick));
  int still = 0;
  for (int i = 0; i < 100; ++i) still += steal.add(0, allowed, tick);
  EXPECT_LT(still, 20);
}

/// Two CPUs that tick like the kernel's, looked at every 20 ms for a second while this process uses one of them fully.
/// Returns the verdicts that were not "quiet".
int busy_verdicts(double others, double stolen) {
  SystemLoad load;
  int busy = 0;
  for (int i = 0; i <= 50; ++i) {
    const double t = 0.02 * i;
    const auto ticks = [](double seconds) { return static_cast<std::uint64_t>(1000 + 100 * seconds + 1e-9); };
    const auto text = "cpu  1 1 1 " + std::to_string(ticks((1 - others - stolen) * t)) + " 0 0 0 " +
                      std::to_string(ticks(stolen * t)) + "\ncpu0\ncpu1\nintr\n";
    busy += !load.judge(*parse_proc_stat(text, 100), 5 + t, 7 + t).empty();
  }
  return busy;
}

TEST(SystemLoad, QuietMachineIsQuiet) {
  EXPECT_EQ(busy_verdicts(0, 0), 0);
  EXPECT_EQ(busy_verdicts(0.05, 0), 0);
  EXPECT_EQ(busy_verdicts(0, 0.01), 0);
}

TEST(SystemLoad, FindsAnotherCoreBusyAndAHypervisorThatTakes) {
  EXPECT_GT(busy_verdicts(1, 0), 45);
  EXPECT_GT(busy_verdicts(0.5, 0), 40);
  EXPECT_GT(busy_verdicts(0, 0.1), 30);
}

TEST(Watch, SleepIsNotHavingTheCore) {
  const Watch watch;
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_NE(watch.disturbance().own, "");
}

TEST(Watch, WhatWasDisturbedIsSummedUpAndASleepIsNotTheHypervisors) {
  const auto before = watched_so_far();
  const Watch watch;
  std::this_thread::sleep_for(milliseconds(5));
  const auto found = watch.disturbance();
  const auto seen = watched_so_far() - before;
  EXPECT_FALSE(found.by_hypervisor);
  EXPECT_GT(seen.all, 0.004);
  EXPECT_EQ(seen.others, seen.all);
  EXPECT_EQ(seen.hypervisor, 0);
}

TEST(Watch, ThreadOnTheSameCoreIsSeen) {
  const auto cpus = allowed_cpus();
  ASSERT_FALSE(cpus.empty());
  if (cpus.front() >= CPU_SETSIZE) GTEST_SKIP();
  const auto spin_for_50_ms = [] {
    for (const auto end = std::chrono::steady_clock::now() + milliseconds(50);
         std::chrono::steady_clock::now() < end;) {
    }
  };
  std::string disturbance;
  std::thread([&] {  // a thread of its own, so that the tests after this one are not pinned
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpus.front(), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    std::thread rival(spin_for_50_ms);
    const Watch watch;
    spin_for_50_ms();
    disturbance = watch.disturbance().own;
    rival.join();
  })
      .join();
  EXPECT_NE(disturbance.find("of its core"), std::string::npos) << disturbance;
}

}  // namespace
}  // namespace roofline
