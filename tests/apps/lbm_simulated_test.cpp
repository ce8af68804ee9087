#include <gtest/gtest.h>

#include "apps/lbm/simulated.hpp"
#include "bench/simulator/coroutine_feed.hpp"
#include "bench/simulator/gpu_model.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using lbm::GpuVersion;

GpuModel v100() {
  return GpuModel(read_device(std::string(ROOFLINE_TEST_DATA) + "/../../bench/machine/devices/v100.json"));
}

/// Requests per population and warp.
struct PerPopulation {
  double loads, stores, constants, shared, local;
};
PerPopulation requests(GpuVersion version) {
  const auto lattice = std::make_shared<const lbm::GpuLattice>(lbm::Grid{2, 256});
  const auto kernel = lbm::gpu_collide(lattice, version);
  const auto counts = record_block(kernel, 1);
  const double populations = 37 * 8;  // of the 8 warps of a block
  const auto per = [&](Access access) { return static_cast<double>(counts.of(access).requests) / populations; };
  // One load per site is the flag that tells bulk from wall, not a population's.
  return {static_cast<double>(counts.of(Access::global_load).requests - 8) / populations, per(Access::global_store),
          per(Access::constant), per(Access::shared), per(Access::local_load) + per(Access::local_store)};
}

TEST(GpuLbm, LoadsToStoresAre63To1InV0And1To1Later) {
  EXPECT_EQ(requests(GpuVersion::v0).loads, 63);
  EXPECT_EQ(requests(GpuVersion::v0).stores, 1);
  EXPECT_EQ(requests(GpuVersion::v1).loads, 1);
  EXPECT_EQ(requests(GpuVersion::v1).constants, 62);
  EXPECT_EQ(requests(GpuVersion::v2).constants, 0);
  EXPECT_EQ(requests(GpuVersion::v2).local, 5);
  EXPECT_EQ(requests(GpuVersion::v3_registers).local, 0);
  EXPECT_EQ(requests(GpuVersion::v4).local, 0);
  EXPECT_EQ(requests(GpuVersion::v4).shared, 5);
  EXPECT_EQ(requests(GpuVersion::v4).loads, 1);
  EXPECT_EQ(requests(GpuVersion::v4).stores, 1);
}

TEST(GpuLbm, ResidencyIsThePublishedOne) {
  const auto lattice = std::make_shared<const lbm::GpuLattice>(lbm::Grid{2, 256});
  const auto device = v100().device();
  EXPECT_EQ(residency(device, lbm::gpu_collide(lattice, GpuVersion::v2)).blocks, 3u);  // 37.5 % of 64 warps
  EXPECT_EQ(residency(device, lbm::gpu_collide(lattice, GpuVersion::v3)).blocks, 1u);
  const auto v4 = lbm::gpu_collide(lattice, GpuVersion::v4);
  EXPECT_EQ(v4.shared, 75776u);
  EXPECT_EQ(residency(device, v4).blocks, 1u);
}

TEST(GpuLbm, TheLadderOfTraffic) {
  const lbm::Grid grid{240, 1024};
  const auto lattice = std::make_shared<const lbm::GpuLattice>(grid);
  const auto device = v100().device();
  const auto relative = [&](const GpuKernel& kernel) {
    const auto traffic = simulate(device, kernel, Schedule::lockstep).all.traffic;
    const auto sectors =
        static_cast<double>(traffic.dram_read + traffic.dram_write) + static_cast<double>(traffic.owed_write);
    return sectors * sector_bytes / (592.0 * static_cast<double>(kernel.blocks * kernel.threads));
  };
  const double v0 = relative(lbm::gpu_collide(lattice, GpuVersion::v0));
  const double v1 = relative(lbm::gpu_collide(lattice, GpuVersion::v1));
  const double v3 = relative(lbm::gpu_collide(lattice, GpuVersion::v3));
  const double v4 = relative(lbm::gpu_collide(lattice, GpuVersion::v4));
  EXPECT_GT(v0, 3.0);  // "more than 3 x the grid"
  EXPECT_GE(v0, v1);
  EXPECT_GT(v1, 1.5 * v3);
  EXPECT_GT(v3, v4);
  EXPECT_NEAR(v4, 1.0, 0.02);
  EXPECT_NEAR(relative(lbm::gpu_propagate(lattice)), 1.0, 0.02);
}

TEST(GpuLbm, RefusesAGridThatBlocksDoNotCover) {
  EXPECT_THROW(lbm::GpuLattice(lbm::Grid{16, 100}), std::invalid_argument);
}

}  // namespace
}  // namespace roofline
