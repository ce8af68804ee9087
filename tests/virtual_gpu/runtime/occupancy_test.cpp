#include <gtest/gtest.h>

#include "bench/virtual_gpu/runtime/virtual_device.hpp"

namespace roofline::runtime::occupancy_test {
namespace {

const VirtualDevice h100 = find_virtual_device("h100"), v100 = find_virtual_device("v100");

TEST(Occupancy, RegistersAreGivenToWarpsInUnitsAndPartitions) {
  EXPECT_EQ(resident_blocks(h100, {256, 32, 0}), 8u);
  EXPECT_EQ(resident_blocks(h100, {256, 33, 0}), 6u);  // 40 registers after rounding: 12 warps in each partition
  EXPECT_EQ(resident_blocks(h100, {256, 255, 0}), 1u);
  EXPECT_EQ(resident_blocks(h100, {1024, 65, 0}), 0u);
}

TEST(VirtualDevice, KnownOnesHaveTheirComputeCapabilityAndMemory) {
  EXPECT_EQ(h100.capability, 90u);
  EXPECT_EQ(v100.capability, 70u);
  EXPECT_EQ(find_virtual_device("a100").shared_per_block_optin, 166912u);
  EXPECT_EQ(find_virtual_device("h200").memory, 151397597184u);
  EXPECT_EQ(h100.title, "virtual GPU (h100)");
}

}  // namespace
}  // namespace roofline::runtime::occupancy_test
