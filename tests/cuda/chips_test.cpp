#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bench/counters/cupti/cupti_host.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/cuda/carveout.hpp"
#include "microkernels/cuda/flops/units.hpp"
#include "tests/sanitized.hpp"

namespace roofline::chips_test {
namespace {

/// Compute capabilities by the names that CUPTI has for chips, 90 is 9.0; it has none of 8.8.
const std::map<std::string, int> capabilities{
    {"GV100", 70},  {"TU102", 75},  {"TU104", 75},  {"TU106", 75},  {"TU116", 75},  {"TU117", 75},
    {"GA100", 80},  {"GA102", 86},  {"GA103", 86},  {"GA104", 86},  {"GA106", 86},  {"GA107", 86},
    {"GA10B", 87},  {"8.8", 88},    {"AD102", 89},  {"AD103", 89},  {"AD104", 89},  {"AD106", 89},
    {"AD107", 89},  {"GH100", 90},  {"GB100", 100}, {"GB102", 100}, {"GB110", 103}, {"GB10B", 110},
    {"GB202", 120}, {"GB203", 120}, {"GB205", 120}, {"GB206", 120}, {"GB207", 120}, {"GB20B", 121}};

TEST(Chips, HaveTheirUnitsOrAreSaidToBeUnknown) {
  const auto listed = [](const auto& list, int chip) {
    return std::find(list.begin(), list.end(), chip) != list.end();
  };
  for (const auto& [chip, capability] : capabilities) {
    Gpu gpu;
    gpu.major = capability / 10, gpu.minor = capability % 10;
    EXPECT_NE(vector_lanes(gpu, "fp64").has_value(), listed(unknown_units, capability)) << chip;
    EXPECT_NE(l1_bytes(gpu).has_value(), listed(unknown_l1, capability)) << chip;
    EXPECT_GE(cuda::carveout_percent(capability, 0), 0) << chip;
  }
}

TEST(Chips, AreAllThatCuptiKnows) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer's runtime refuses to load CUPTI";
  std::vector<std::string> all;
  try {
    all = supported_chips(load_cupti().functions);
  } catch (const CountersUnavailable& why) {
    GTEST_SKIP() << why.what();
  }
  for (const auto& chip : all)
    EXPECT_TRUE(capabilities.contains(chip) || chip == "GV11B") << chip << "; CUDA 13 compiles nothing for 7.2";
}

}  // namespace
}  // namespace roofline::chips_test
