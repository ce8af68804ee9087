#include "microkernels/cuda/memory/pcie_link.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

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

/// Ports from the root to the device, each in the folder of the one before, as Linux has them; the rate of the last.
std::optional<double> rate_below(const std::vector<std::pair<std::string, std::string>>& ports) {
  const auto root = std::filesystem::path(::testing::TempDir()) / "pcie_ports";
  auto place = root / "devices/pci0000:00";
  std::filesystem::create_directories(root / "bus");
  std::filesystem::create_directories(place);
  int bus = 0;
  for (const auto& [speed, width] : ports) {
    place /= "0000:0" + std::to_string(bus++) + ":00.0";
    std::filesystem::create_directory(place);
    std::ofstream(place / "max_link_speed") << speed << " GT/s PCIe\n";
    std::ofstream(place / "current_link_width") << width << "\n";
  }
  std::filesystem::create_symlink(place, root / "bus" / place.filename());
  const auto rate = pcie_rate_of(place.filename(), root / "bus");
  std::filesystem::remove_all(root);
  return rate;
}

TEST(PcieLink, IsThatOfTheSlowestPortAboveTheDevice) {
  const double gen3 = 15.75e9, gen4 = 31.5e9, gen5 = 63e9;
  EXPECT_NEAR(rate_below({{"16.0", "16"}, {"32.0", "16"}}).value(), gen4, 0.1e9) << "a card of Gen5 in a slot of Gen4";
  EXPECT_NEAR(rate_below({{"32.0", "16"}, {"16.0", "16"}}).value(), gen4, 0.1e9) << "and the other way round";
  EXPECT_NEAR(rate_below({{"8.0", "16"}, {"16.0", "16"}, {"16.0", "16"}, {"32.0", "16"}}).value(), gen3, 0.1e9)
      << "behind a bridge";
  EXPECT_NEAR(rate_below({{"32.0", "16"}}).value(), gen5, 0.1e9) << "a virtual machine has no slot";
}

}  // namespace
}  // namespace roofline::pcie_link_test
