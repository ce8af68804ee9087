#include "bench/machine/clock.hpp"

#include <gtest/gtest.h>

namespace roofline {
namespace {

TEST(Clock, IsThatOfAProcessor) {
  // Wrong latency, a folded chain or a wrong unit are off by factors.
  const double hz = measure_clock_hz();
  EXPECT_GT(hz, 0.3e9);
  EXPECT_LT(hz, 8e9);
}

TEST(TimerStep, IsPositiveAndFine) {
  EXPECT_GT(timer_step(), 0);
  EXPECT_LT(timer_step(), 1e-3);
}

}  // namespace
}  // namespace roofline
