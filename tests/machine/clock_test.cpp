#include "bench/machine/clock.hpp"

#include <gtest/gtest.h>

#include "tests/sanitized.hpp"

namespace roofline::clock_test {
namespace {

TEST(Clock, IsThatOfAProcessor) {
  // Wrong latency, a folded chain or a wrong unit are off by factors.
  const double hz = measure_clock_hz();
  EXPECT_GT(hz, 0.3e9);
  EXPECT_LT(hz, 8e9);
}

TEST(Clock, IsTheSameByChainsOfDifferentLatency) {
  // A latency taken for 4 cycles instead of 3 is off by a third; a machine under load may need another look.
  if (testing::sanitized) GTEST_SKIP() << "the chains are not those instructions alone";
  auto reading = read_clock();
  for (int look = 0; look < 5 && !reading.agrees(); ++look) reading = read_clock();
  EXPECT_NEAR(reading.by_multiplying / reading.by_adding, 1, 0.03);
}

TEST(Clock, ChainsThatDisagreeSaySo) {
  EXPECT_TRUE((ClockReading{4.0e9, 4.1e9}.agrees()));
  EXPECT_FALSE((ClockReading{4.0e9, 3.0e9}.agrees()));
  EXPECT_FALSE((ClockReading{3.0e9, 4.0e9}.agrees()));
}

TEST(TimerStep, IsPositiveAndFine) {
  EXPECT_GT(timer_step(), 0);
  EXPECT_LT(timer_step(), 1e-3);
}

}  // namespace
}  // namespace roofline::clock_test
