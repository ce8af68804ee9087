#include "bench/run/measure.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace roofline
