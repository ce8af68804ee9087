// The compiled kernels on a described device: the input of the device model, and its answers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apps/lbm/expected.hpp"
#include "bench/virtual_gpu/memory/gpu_model.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/cuda/small_device.hpp"
#include "tests/error_of.hpp"

namespace roofline::described_device_test {
namespace {

class DescribedDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!runtime::can_run_virtually()) GTEST_SKIP() << "a build without CUDA has no kernels to run";
    v100_.emplace("v100");
  }
  GpuModel model_{find_device("v100")};

 private:
  std::optional<runtime::Scope> v100_;
};

/// A row as the virtual GPU would run it: its compiled kernels, and what they work on.
struct ModelledRow {
  Workload work;
  std::vector<GpuKernel> kernels;

  GpuCounts count(const GpuModel& model) const { return count_kernels(model, kernels); }
};

ModelledRow modelled_row(const std::string& name, const std::string& family, const Sizes& sizes) {
  ModelledRow row{testing::made(testing::gpu_rows(family, sizes, {}, Launches::modelled), name), {}};
  row.kernels = recorded_kernels(row.work.launch, false);
  return row;
}

ModelledRow stream(const char* kernel, Index n) {
  return modelled_row(fmt::format("stream/{}/n:{}", kernel, n), "stream", {n});
}
ModelledRow stencil(Index n, int flops, const char* more = "") {
  const auto form = flops == 7 ? "" : fmt::format("/flops:{}", flops);
  return modelled_row(fmt::format("stencil/7pt/n:{}{}{}", n, form, more), "stencil", {n});
}
ModelledRow gpp_row(const char* name, const Sizes& sizes) { return modelled_row(name, "gpp", sizes); }
ModelledRow lbm_row(const std::string& version, const lbm::Grid& grid) {
  return modelled_row(lbm::collide_name(version, grid, true), "lbm", {grid.lx, grid.ly});
}
ModelledRow gsrb_row(const char* name, Index level) { return modelled_row(name, "gsrb", {level}); }

/// Sectors that a block asks for in the device model.
std::uint64_t sectors_fed(const GpuKernel& kernel, Index block) {
  const auto feed = kernel.feed();
  feed->begin(0, block);
  std::vector<bool> ended(kernel.warps());
  std::uint64_t sectors = 0;
  for (unsigned left = kernel.warps(); left > 0;)
    for (unsigned warp = 0; warp < kernel.warps(); ++warp) {
      if (ended[warp]) continue;
      const auto step = feed->step(0, warp);
      for (const auto& line : step.lines) sectors += static_cast<unsigned>(std::popcount(line.sectors));
      if (step.ended) ended[warp] = true, --left;
    }
  return sectors;
}

std::uint64_t sectors_executed(const GpuKernel& kernel, Index block) {
  std::uint64_t sectors = 0;
  for (const auto& of : kernel.count(block, 1).requests) sectors += of.sectors;
  return sectors;
}

TEST_F(DescribedDevice, TheModelIsFedWithWhatTheWholeKernelExecutes) {
  const Sizes gpp{16, 2, 256, 16};
  for (const auto& row : {stream("triad", 100003), stream("dot", 100003), stencil(35, 7), stencil(35, 8, "/tuned"),
                          gpp_row("gpp/nw:6/fma:1/stride:1", gpp), gpp_row("gpp/nw:3/fma:0/stride:8", gpp),
                          gpp_row("gpp/nw:6/fma:1/stride:1/tuned", gpp), gsrb_row("gsrb/fp/op:fv4/level:5", 5),
                          gsrb_row("gsrb/branch/op:fv4/level:5", 5), gsrb_row("gsrb/stride2/op:7pt/level:5", 5),
                          gsrb_row("gsrb/fp/op:fv4/level:5/tuned", 5), lbm_row("v0", {3, 256}), lbm_row("v3", {3, 256}),
                          lbm_row("v4", {3, 256})}) {
    const auto& kernel = row.kernels.back();
    for (const Index block : {Index{0}, kernel.blocks / 2, kernel.blocks - 1})
      EXPECT_EQ(sectors_fed(kernel, block), sectors_executed(kernel, block)) << kernel.name << " block " << block;
  }
}

TEST_F(DescribedDevice, StreamsMoveTheirArraysOnceAtEveryLevel) {
  const Index n = 1 << 20;
  struct Expected {
    const char* name;
    Index flops, loads, stores;
  };
  for (const auto& [name, flops, loads, stores] :
       {Expected{"copy", 0, 1, 1}, {"scale", 1, 1, 1}, {"add", 1, 2, 1}, {"triad", 2, 2, 1}}) {
    const auto counts = stream(name, n).count(model_);
    EXPECT_EQ(counts.exact.operations.flops(), static_cast<std::uint64_t>(flops * n)) << name;
    EXPECT_EQ(counts.exact.of(Access::global_load).sectors * sector_bytes, static_cast<std::uint64_t>(8 * loads * n));
    EXPECT_EQ(counts.exact.of(Access::global_store).sectors * sector_bytes, static_cast<std::uint64_t>(8 * stores * n));
    for (const auto& s : counts.scenarios) {
      EXPECT_EQ(s.l2_read * sector_bytes, 8.0 * static_cast<double>(loads * n)) << name;
      EXPECT_EQ(s.dram_read * sector_bytes, 8.0 * static_cast<double>(loads * n)) << name;
      EXPECT_EQ(s.l2_write * sector_bytes, 8.0 * static_cast<double>(stores * n)) << name;
    }
  }
}

TEST_F(DescribedDevice, StencilsCountWhatTheirFormulasSay) {
  const Index n = 35;
  const auto points = static_cast<std::uint64_t>((n - 2) * (n - 2) * (n - 2));
  for (const int flops : {7, 8}) {
    const auto counts = stencil(n, flops).count(model_);
    EXPECT_EQ(counts.exact.operations.flops(), static_cast<std::uint64_t>(flops) * points);
    EXPECT_EQ(counts.exact.of(Access::global_load).lanes, 7 * points);
    EXPECT_EQ(counts.exact.of(Access::global_store).lanes, points);
  }
}

// Figures of the public hierarchical data file behind the NERSC talk, per inner iteration.
TEST_F(DescribedDevice, GppHasThePublishedInstructionsAndBytesOfL1) {
  constexpr double n = 16 * (32768 / 4096) * 32768;
  // Before its loop a block reads one sector, where its row is.
  const auto l1 = [](const GpuKernel& kernel, const WarpCounts& counts) {
    const auto sectors = counts.of(Access::global_load).sectors - static_cast<std::uint64_t>(kernel.blocks);
    return static_cast<double>(sectors * sector_bytes);
  };
  struct Published {
    int nw;
    double flops, l1;
  };
  for (const auto& [nw, flops, bytes] : {Published{1, 45, 52}, {6, 230, 57}}) {
    const auto row = gpp_row(fmt::format("gpp/nw:{}/fma:1/stride:1", nw).c_str(), {16, 2, 32768, 4096});
    const auto counts = row.count(model_);
    EXPECT_NEAR(static_cast<double>(counts.executed.flops()) / n, flops, 0.011 * flops);  // sums over lanes with it
    EXPECT_EQ(l1(row.kernels.front(), counts.exact) / n, bytes);
    if (nw == 1) continue;
    EXPECT_NEAR(static_cast<double>(counts.executed.add) / n, 6, 0.011 * 6);
    EXPECT_EQ(static_cast<double>(counts.executed.mul) / n, 52);
    EXPECT_EQ(static_cast<double>(counts.executed.fma) / n, 86);
  }
  for (const int stride : {1, 2, 4, 8}) {
    const auto row = gpp_row(fmt::format("gpp/nw:6/fma:1/stride:{}", stride).c_str(), {16, 2, 1024, 64});
    const auto& kernel = row.kernels.front();
    EXPECT_NEAR(l1(kernel, exact_counts(kernel)) / (16 * 16 * 1024), stride == 1 ? 57 : 105, 0.5) << stride;
  }
}

TEST_F(DescribedDevice, BranchSwitchesHalfOfTheLanesOffAndMovesTheBytesOfFp) {
  const auto fp = gsrb_row("gsrb/fp/op:fv4/level:5", 5).count(model_);
  const auto branch = gsrb_row("gsrb/branch/op:fv4/level:5", 5).count(model_);
  EXPECT_NEAR(fp.predication(), 1, 1e-12);
  EXPECT_NEAR(branch.predication(), 0.5, 0.05);
  const auto dram = [](const GpuCounts& counts) { return counts.over(&GpuCounts::Scenario::dram_read).middle(); };
  EXPECT_NEAR(dram(branch) / dram(fp), 1, 0.05);
}

/// Requests of a collide kernel per population and warp. The request for the flag of bulk and wall does not belong to a
/// population.
double per_population(const ModelledRow& row, Access access) {
  const auto& kernel = row.kernels.front();
  const auto warps = static_cast<double>(kernel.warps());
  const auto requests = static_cast<double>(kernel.count(0, 1).of(access).requests);
  return (requests - (access == Access::global_load ? warps : 0)) / (37 * warps);
}

TEST_F(DescribedDevice, LbmReadsAndWritesAsTheTalkSays) {
  const lbm::Grid grid{2, 256};
  const auto v0 = lbm_row("v0", grid), v1 = lbm_row("v1", grid), v4 = lbm_row("v4", grid);
  EXPECT_EQ(per_population(v0, Access::global_load), 63);
  EXPECT_EQ(per_population(v0, Access::global_store), 1);
  EXPECT_EQ(per_population(v1, Access::global_load), 1);
  EXPECT_EQ(per_population(v1, Access::constant), 62);
  EXPECT_EQ(per_population(v4, Access::global_load), 1);
  EXPECT_EQ(per_population(v4, Access::shared), 5);
  EXPECT_EQ(per_population(v4, Access::local_load), 0);
  for (const char* version : {"v2", "v3"}) {
    EXPECT_EQ(per_population(lbm_row(version, grid), Access::local_load), 3) << version;
    EXPECT_EQ(per_population(lbm_row(version, grid), Access::local_store), 2) << version;
  }
  EXPECT_EQ(per_population(lbm_row("v3_registers", grid), Access::local_load), 0);
}

TEST_F(DescribedDevice, LbmHasThePublishedResidency) {
  const auto blocks = [&](const char* version) {
    return residency(model_.device(), lbm_row(version, {2, 256}).kernels.front()).blocks;
  };
  EXPECT_EQ(blocks("v2"), 3u);  // 37.5 % of 64 warps
  EXPECT_EQ(blocks("v3"), 1u);
  EXPECT_EQ(blocks("v4"), 1u);
  EXPECT_EQ(lbm_row("v4", {2, 256}).kernels.front().shared, 75776u);
}

TEST_F(DescribedDevice, LbmHasTheProfileOfTheTalk) {
  const lbm::Grid grid{240, 1024};
  const auto profile = [&](const char* version) { return lbm_row(version, grid).count(model_).counts().details; };
  EXPECT_EQ(profile("v2").at("occupancy_theoretical"), 0.375);
  const auto v3 = profile("v3"), v4 = profile("v4");
  EXPECT_EQ(v3.at("occupancy_theoretical"), 0.125) << "8 of 64 warps";
  EXPECT_GE(v3.at("registers"), 250) << "254 in the talk";
  EXPECT_NEAR(v4.at("hit_rate_L1"), 0, 0.001);
  EXPECT_NEAR(v4.at("hit_rate_L2"), 0.5, 0.01);
  EXPECT_GT(v3.at("hit_rate_L1"), 0.3) << "local arrays";
  EXPECT_FALSE(v4.contains("occupancy_achieved")) << "nothing of it has a time";
}

TEST_F(DescribedDevice, TheLadderOfLbmsTraffic) {
  const lbm::Grid grid{240, 1024};
  const auto relative = [&](const ModelledRow& row) {
    const auto& kernel = row.kernels.front();
    const auto traffic = simulate(model_.device(), kernel, Schedule::round_robin).all.traffic;
    const auto sectors =
        static_cast<double>(traffic.dram_read + traffic.dram_write) + static_cast<double>(traffic.owed_write);
    return sectors * sector_bytes / (592.0 * static_cast<double>(grid.sites()));
  };
  const double v0 = relative(lbm_row("v0", grid)), v1 = relative(lbm_row("v1", grid));
  const double v2 = relative(lbm_row("v2", grid)), v3 = relative(lbm_row("v3", grid));
  const double v4 = relative(lbm_row("v4", grid));
  EXPECT_GT(v0, 2.8);  // the talk: "more than 3 x the grid"
  EXPECT_GT(v1, 1.3 * v3);
  EXPECT_GT(v2, 1.3 * v3);
  EXPECT_GT(v3, 1.2 * v4);  // less traffic, extra writes remain
  EXPECT_NEAR(v4, 1.0, 0.02);
  EXPECT_NEAR(relative(modelled_row(lbm::row_name("propagate", grid), "lbm", {240, 1024})), 1.0, 0.02);
}

TEST_F(DescribedDevice, TwoCountsOfARowAreEqualWhateverWasAllocatedBefore) {
  const auto once = stencil(67, 7).count(model_);
  const auto other = stream("triad", 12345);
  const auto again = stencil(67, 7).count(model_);
  EXPECT_EQ(once.exact, again.exact);
  for (std::size_t i = 0; i < once.scenarios.size(); ++i) {
    EXPECT_EQ(once.scenarios[i].l2_read, again.scenarios[i].l2_read);
    EXPECT_EQ(once.scenarios[i].dram_read, again.scenarios[i].dram_read);
  }
}

TEST_F(DescribedDevice, AGridOfFewBlocksLeavesSmsWithoutWork) {
  const auto row = stream("triad", 1 << 12);
  const auto blocks = row.kernels.front().blocks;
  ASSERT_LT(blocks, model_.device().sms);
  const auto share = static_cast<double>(blocks) / model_.device().sms;
  EXPECT_DOUBLE_EQ(row.count(model_).counts().details.at("sms_with_work"), share);
  EXPECT_FALSE(stream("triad", 1 << 20).count(model_).counts().details.contains("sms_with_work"));
}

TEST_F(DescribedDevice, OnlyOneVirtualDeviceAtATime) {
  const auto refused = testing::error_of<std::invalid_argument>([] { runtime::Scope other("h200"); });
  EXPECT_NE(refused.find("v100 is in use"), std::string::npos) << refused;
}

GpuKernel blocks_of(unsigned threads, unsigned registers) {
  GpuKernel kernel;
  kernel.name = "made up";
  kernel.threads = threads, kernel.registers = registers;
  return kernel;
}

TEST(GpuModel, SaysWhenABlockDoesNotFit) {
  EXPECT_EQ(testing::error_of([] { residency(find_device("v100"), blocks_of(1024, 255)); }),
            "made up: a block of 1024 threads does not fit an SM of v100 (registers)");
}

TEST(GpuModel, ResidencyNamesItsLimit) {
  const auto device = find_device("v100");
  auto kernel = blocks_of(1024, 16);
  EXPECT_EQ(residency(device, kernel).blocks, 2u);
  EXPECT_EQ(residency(device, kernel).limit, "warps");
  kernel.threads = 32;
  EXPECT_EQ(residency(device, kernel).blocks, 32u);
  EXPECT_EQ(residency(device, kernel).limit, "blocks");
  kernel.shared = 30000;
  EXPECT_EQ(residency(device, kernel).blocks, 3u);
  EXPECT_EQ(residency(device, kernel).limit, "shared memory");
}

}  // namespace
}  // namespace roofline::described_device_test
