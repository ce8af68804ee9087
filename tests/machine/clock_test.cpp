#include "bench/machine/clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/machine/noise_meter.hpp"
#include "tests/sanitized.hpp"

namespace roofline::clock_test {
namespace {

TEST(Clock, IsThatOfAProcessor) {
  // Wrong latency, a folded chain or a wrong unit are off by factors.
  const double hz = measure_clock_hz();
  EXPECT_GT(hz, 0.3e9);
  EXPECT_LT(hz, 8e9);
}

#if defined(__x86_64__)
TEST(Clock, IsThatOfAdditionsToo) {
  // A latency taken for 4 cycles instead of 3 is off by a third; a machine under load may need another look. An
  // addition of registers takes one cycle everywhere.
  if (testing::sanitized) GTEST_SKIP() << "the chain is not those instructions alone";
  constexpr int rounds = 4000, additions = 64;
  double ratio = 0;
  for (int look = 0; look < 50 && std::abs(ratio - 1) > 0.03; ++look) {
    unsigned x = 3;
    double seconds =
        INFINITY;  // the least of as many runs as the other chain has, because a pause must not count as latency
    for (int run = 0; run < 24; ++run) {
      const auto start = Clock::now();
      for (int i = 0; i < rounds; ++i) asm volatile(".rept 64\n\taddl %1, %0\n\t.endr" : "+r"(x) : "r"(5) : "cc");
      seconds = std::min(seconds, seconds_since(start));
    }
    ratio = measure_clock_hz() * seconds / rounds / additions;
  }
  EXPECT_NEAR(ratio, 1, 0.03);
}
#endif

TEST(TimerStep, IsPositiveAndFine) {
  EXPECT_GT(timer_step(), 0);
  EXPECT_LT(timer_step(), 1e-3);
}

/// A clock that goes wrong: `factor` too fast, and `late` seconds late at every look.
TimerOf wrong(double factor, double late) {
  return [=](std::function<void()> launch) -> Timer {
    return [timer = host_timer(std::move(launch)), factor, late](int batch) { return factor * timer(batch) + late; };
  };
}

TEST(KnownTime, IsSeenByTheTimerOfThisMachine) { EXPECT_LT(known_time_error(), 0.01); }

// One look that no pause disturbs is enough to find a clock that is too fast. A pause may hide one that is too slow, so
// that one loses half its time: 5 ms, more than most pauses.
TEST(KnownTime, FindsAClockThatGoesWrong) {
  EXPECT_GE(known_time_error(wrong(1.2, 0)), 0.15);
  EXPECT_GE(known_time_error(wrong(0.5, 0)), 0.15);
}

/// Seconds of one to four times the same work, in turn, by a clock of their own: nothing is timed.
TimerOf made_up(double factor, double late) {
  return [=](const std::function<void()>&) -> Timer {
    return [=, look = 0](int) mutable { return factor * 1e-3 * (look++ % 4 + 1) + late; };
  };
}

TEST(Linearity, FindsTimeThatDoesNotGrowWithWork) {
  EXPECT_NEAR(nonlinearity(made_up(1, 1e-3)), 2 / 1.25 - 1, 1e-9);
  EXPECT_NEAR(nonlinearity(made_up(3, 0)), 0, 1e-9) << "a wrong scale is none";
}

TEST(NoiseMeter, StealIsTheEighthColumnOfAllCpus) {
  const auto ticks = parse_proc_stat("cpu  100 1 20 800 5 0 3 71 50 0\ncpu0 50 0 10 400 2 0 1 30 0 0\nintr 1\n");
  ASSERT_TRUE(ticks);
  EXPECT_EQ(ticks->all, 1000u) << "guest time is among user time already";
  EXPECT_EQ(ticks->stolen, 71u);
}

TEST(NoiseMeter, OtherProgramsHaveWhatIsNeitherIdleNorOurs) {
  const auto before = parse_proc_stat("cpu  100 10 20 800 5 1 3 71 50 0\n").value();
  const auto now = parse_proc_stat("cpu  300 20 60 1400 15 11 13 91 60 0\n").value();
  EXPECT_EQ(before.busy, 134u) << "user, nice, system, interrupts";
  EXPECT_DOUBLE_EQ(other_programs(before, now, 100), 170.0 / 900);
  EXPECT_EQ(other_programs(before, now, 500), 0) << "our own clock is finer than theirs";
  EXPECT_EQ(other_programs(now, before, 0), 0) << "the machine has moved to another host";
}

TEST(NoiseMeter, SandboxesThatOnlyImitateProcTellNothing) {
  EXPECT_FALSE(parse_proc_stat(""));
  EXPECT_FALSE(parse_proc_stat("cpu  0 0 0 0 0 0 0 0 0 0\n"));
  EXPECT_FALSE(parse_proc_stat("MemTotal: 1 kB\n"));
}

TEST(NoiseMeter, AQuotaStopsAShareOfThePeriods) {
  const auto periods = parse_cpu_stat("usage_usec 9\nnr_periods 40\nnr_throttled 10\nthrottled_usec 5\n");
  EXPECT_EQ(periods.all, 40u);
  EXPECT_EQ(periods.throttled, 10u);
  EXPECT_EQ(parse_cpu_stat("").all, 0u);
}

TEST(NoiseMeter, SharesAreWithinTheirBounds) {
  const NoiseMeter meter;
  volatile double sum = 0;
  for (int i = 0; i < 30'000'000; ++i) sum = sum + i;
  const double steal = meter.steal().value_or(0);
  EXPECT_TRUE(steal >= 0 && steal <= 1) << steal;
  EXPECT_TRUE(meter.throttled() >= 0 && meter.throttled() <= 1);
}

}  // namespace
}  // namespace roofline::clock_test
