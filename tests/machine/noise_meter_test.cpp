#include "bench/machine/noise_meter.hpp"

#include <gtest/gtest.h>

namespace roofline::noise_meter_test {
namespace {

TEST(NoiseMeter, StealIsTheEighthColumnOfAllCpus) {
  const auto ticks = parse_proc_stat("cpu  100 1 20 800 5 0 3 71 50 0\ncpu0 50 0 10 400 2 0 1 30 0 0\nintr 1\n");
  ASSERT_TRUE(ticks);
  EXPECT_EQ(ticks->all, 1000u) << "guest time is among user time already";
  EXPECT_EQ(ticks->stolen, 71u);
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
}  // namespace roofline::noise_meter_test
