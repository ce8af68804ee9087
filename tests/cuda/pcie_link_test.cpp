#include "microkernels/cuda/memory/pcie_link.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace roofline::pcie_link_test {
namespace {

TEST(PcieLink, HasTheRateOfItsGeneration) {
  EXPECT_NEAR(*pcie_rate("8.0 GT/s PCIe", "16"), 15.75e9, 0.01e9);
  EXPECT_NEAR(*pcie_rate("16.0 GT/s PCIe", "16"), 31.5e9, 0.02e9);
  EXPECT_NEAR(*pcie_rate("32.0 GT/s PCIe", "16"), 63.0e9, 0.02e9);
  EXPECT_NEAR(*pcie_rate("64.0 GT/s PCIe", "16"), 118e9, 0.01e9);
  EXPECT_NEAR(*pcie_rate("5.0 GT/s PCIe", "8"), 4e9, 1);
}

TEST(PcieLink, IsUnknownWhereTheSystemDoesNotSay) {
  for (const auto& [speed, width] : {std::pair{"Unknown", "16"}, {"", ""}, {"32.0 GT/s PCIe", "0"}, {"x GT/s", "8"}})
    EXPECT_FALSE(pcie_rate(speed, width)) << speed;
  EXPECT_FALSE(pcie_rate_of("0000:3b:00.0", "/no/such/place"));
}

TEST(PcieLink, IsFoundByTheAddressOfTheRuntime) {
  const auto root = std::filesystem::path(::testing::TempDir()) / "pcie_link_test";
  std::filesystem::create_directories(root / "0000:3b:00.0");
  std::ofstream(root / "0000:3b:00.0" / "max_link_speed") << "16.0 GT/s PCIe\n";
  std::ofstream(root / "0000:3b:00.0" / "current_link_width") << "8\n";
  const auto rate = pcie_rate_of("0000:3B:00.0", root);
  std::filesystem::remove_all(root);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(*rate, 15.75e9, 0.01e9);
}

}  // namespace
}  // namespace roofline::pcie_link_test
