#include "bench/machine/gpu_facts.hpp"

#include <gtest/gtest.h>

namespace roofline::gpu_facts_test {
namespace {

const Gpu h200{.index = 1,
               .name = "NVIDIA H200",
               .major = 9,
               .minor = 0,
               .sms = 132,
               .clock_hz = 1.98e9,
               .memory_bytes = 143771.0 * (1 << 20),
               .l2_bytes = 60.0 * (1 << 20),
               .driver_version = 13000,
               .runtime_version = 13000};

TEST(GpuFacts, TheFingerprintHasWhatCeilingsDependOnAndNotTheNumber) {
  EXPECT_EQ(fingerprint(h200), "NVIDIA H200, compute capability 9.0, 132 SMs, 1980 MHz, 143771 MiB, L2 60 MiB");
  auto other = h200;
  other.index = 0, other.driver_version = 13010;
  EXPECT_EQ(fingerprint(other), fingerprint(h200));
  other.sms = 114;
  EXPECT_NE(fingerprint(other), fingerprint(h200));
}

TEST(GpuFacts, TheContextNamesTheDevice) {
  const auto pairs = context(h200);
  EXPECT_EQ(pairs.at("device"), "cuda:1");
  EXPECT_EQ(pairs.at("gpu_name"), "NVIDIA H200");
  EXPECT_EQ(pairs.at("cuda_driver"), "13.0");
}

TEST(GpuFacts, TheDriversReleaseIsTheFirstNumberWithDots) {
  EXPECT_EQ(
      driver_release("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\nGCC 12.2.0"),
      "580.65.06");
  EXPECT_EQ(driver_release(""), "");
}

TEST(GpuFacts, InstancesOfADividedGpuAreKnownByTheirNames) {
  EXPECT_FALSE(is_mig_instance(h200));
  EXPECT_TRUE(is_mig_instance({.name = "NVIDIA H200 MIG 1g.18gb"}));
}

}  // namespace
}  // namespace roofline::gpu_facts_test
