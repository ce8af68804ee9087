#include <gtest/gtest.h>

#include <array>

#include "reporters/view/portability.hpp"

namespace roofline::performance_portability_test {
namespace {

TEST(PerformancePortability, IsTheHarmonicMeanOfThePublishedTable) {
  constexpr std::array<double, 3> columns[] = {
      {82.06, 92.88, 87.14},  {72.95, 92.88, 81.72},
      {73.74, 97.43, 83.95},  {78.72, 98.91, 87.67},
      {81.28, 100.64, 89.93}, {82.81, 99.73, 90.49},  // no FMA, nw 1..6; 100.64 is above its roof and stays so
      {84.98, 97.36, 90.76},  {77.50, 91.50, 83.92},
      {66.77, 76.70, 71.39},  {55.28, 65.44, 59.93},
      {46.56, 65.07, 54.28},  {39.65, 66.38, 49.65},  // FMA, nw 1..6
      {38.40, 65.64, 48.46},  {75.24, 85.43, 80.01},
      {98.39, 98.81, 98.60},  {99.20, 99.89, 99.55}};  // stride 1, 2, 4, 8
  for (const auto& [knl, gpu, printed] : columns)
    EXPECT_NEAR(100 * performance_portability({knl / 100, gpu / 100}), printed, 0.011) << printed;
  EXPECT_NEAR(100 * performance_portability({0.8206, 0.9288}), 87.135, 5e-4);
}

TEST(PerformancePortability, IsZeroWhenAPlatformIsNotSupported) {
  EXPECT_EQ(performance_portability({0.9, 0}), 0);
  EXPECT_EQ(performance_portability({}), 0);
  EXPECT_DOUBLE_EQ(performance_portability({0.73}), 0.73);
}

}  // namespace
}  // namespace roofline::performance_portability_test
