#include "bench/machine/timer.hpp"

#include <gtest/gtest.h>

namespace roofline::timer_test {
namespace {

/// A clock that goes wrong: `factor` too fast, and `late` seconds late at every look.
TimerOf wrong(double factor, double late) {
  return [=](std::function<void()> launch) -> Timer {
    return [timer = host_timer(std::move(launch)), factor, late](int batch) { return factor * timer(batch) + late; };
  };
}

TEST(KnownTime, IsSeenByTheTimerOfThisMachine) { EXPECT_LT(known_time_error(), 0.01); }

// A disturbance falls between the looks at two clocks: what it adds to one of them is small next to 20 %.
TEST(KnownTime, FindsAClockThatGoesWrong) { EXPECT_GE(known_time_error(wrong(1.2, 0)), 0.15); }

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

}  // namespace
}  // namespace roofline::timer_test
