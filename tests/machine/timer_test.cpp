#include "bench/machine/timer.hpp"

#include <gtest/gtest.h>

namespace roofline {
namespace {

/// A clock that goes wrong: `factor` too fast, and `late` seconds late at every look.
TimerOf wrong(double factor, double late) {
  return [=](std::function<void()> launch) -> Timer {
    return [timer = host_timer(std::move(launch)), factor, late](int batch) { return factor * timer(batch) + late; };
  };
}

TEST(KnownTime, IsSeenByTheTimerOfThisMachine) { EXPECT_LT(known_time_error(), 0.01); }

TEST(KnownTime, DISABLED_FindsAClockThatGoesWrong) {
  EXPECT_NEAR(known_time_error(wrong(1.02, 0)), 0.02, 0.005);
  EXPECT_NEAR(known_time_error(wrong(0.5, 0)), 0.5, 0.02);
}

TEST(Linearity, DISABLED_FindsTimeThatDoesNotGrowWithWork) {
  EXPECT_GT(nonlinearity(wrong(1, 1e-3)), 0.1);
  EXPECT_LT(nonlinearity(wrong(3, 0)), 0.1) << "a wrong scale is none";
}

}  // namespace
}  // namespace roofline
