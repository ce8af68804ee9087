#include <gtest/gtest.h>

#include "apps/stencil/simulated.hpp"
#include "apps/stream/simulated.hpp"
#include "bench/simulator/gpu_model.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

GpuModel v100() {
  return GpuModel(read_device(std::string(ROOFLINE_TEST_DATA) + "/../../bench/machine/devices/v100.json"));
}

WarpCounts recorded(const GpuKernel& kernel) {
  WarpCounts counts;
  for (Index block = 0; block < kernel.blocks; ++block) counts += record_block(kernel, block);
  return counts;
}

class GpuStreamSizes : public ::testing::TestWithParam<Index> {};

TEST_P(GpuStreamSizes, FlopsAndAccessesPerElement) {
  const Index n = GetParam();
  struct Expected {
    const char* name;
    Index flops, loads, stores;
  };
  for (const auto& [name, flops, loads, stores] :
       {Expected{"copy", 0, 1, 1}, {"scale", 1, 1, 1}, {"add", 1, 2, 1}, {"triad", 2, 2, 1}, {"dot", 2, 2, 0}}) {
    const auto counts = recorded(stream::gpu_kernel(name, n));
    EXPECT_EQ(counts.operations.flops(), static_cast<std::uint64_t>(flops * n)) << name;
    EXPECT_EQ(counts.of(Access::global_load).lanes, static_cast<std::uint64_t>(loads * n)) << name;
    EXPECT_EQ(counts.of(Access::global_store).lanes, static_cast<std::uint64_t>(stores * n)) << name;
    EXPECT_EQ(counts.of(Access::global_load).sectors, static_cast<std::uint64_t>(loads * ((n + 3) / 4))) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(ThreeSizes, GpuStreamSizes, ::testing::Values(1, 4099, 1 << 15));

class GpuStencilSizes : public ::testing::TestWithParam<Index> {};

TEST_P(GpuStencilSizes, FlopsAndAccessesPerInteriorPoint) {
  const Index n = GetParam();
  const auto points = static_cast<std::uint64_t>((n - 2) * (n - 2) * (n - 2));
  for (const int flops : {7, 8}) {
    const auto counts = recorded(stencil::gpu_kernel(n, flops));
    EXPECT_EQ(counts.operations.flops(), static_cast<std::uint64_t>(flops) * points);
    EXPECT_EQ(counts.of(Access::global_load).lanes, 7 * points);
    EXPECT_EQ(counts.of(Access::global_store).lanes, points);
  }
}

INSTANTIATE_TEST_SUITE_P(ThreeSizes, GpuStencilSizes, ::testing::Values(3, 35, 64));

TEST(GpuStream, TriadMoves24BytesAtEveryLevel) {
  const Index n = 1 << 20;
  const auto counts = v100().count(stream::gpu_kernel("triad", n));
  for (const auto& s : counts.scenarios) {
    EXPECT_EQ(s.l2_read * sector_bytes, 16.0 * n);
    EXPECT_EQ(s.l2_write * sector_bytes, 8.0 * n);
    EXPECT_EQ(s.dram_read * sector_bytes, 16.0 * n);  // a whole sector written is not read
    if (!s.dirty) {
      EXPECT_EQ(s.dram_write * sector_bytes, 8.0 * n);
    }
  }
  EXPECT_EQ(counts.predication(), 1.0);
  EXPECT_EQ(counts.sectors_per_request(Access::global_load), 8.0);
  EXPECT_EQ(counts.counts().intensity(MemoryLevel::L1), 2.0 / 24);
  EXPECT_EQ(counts.counts().traffic_label(), "modelled(v100)");
}

TEST(GpuStream, ASampledLaunchWritesBackAsMuchAsTheWholeOne) {
  const auto kernel = stream::gpu_kernel("triad", 1 << 21);
  const auto model = v100();
  const auto whole = model.count(kernel), sampled = model.count(kernel, {.windows = 2, .waves = 1});
  EXPECT_EQ(whole.exact, sampled.exact);
  for (std::size_t i = 0; i < whole.scenarios.size(); ++i) {
    EXPECT_NEAR(sampled.scenarios[i].dram_write / whole.scenarios[i].dram_write, 1, 0.002);
    EXPECT_NEAR(sampled.scenarios[i].dram_read / whole.scenarios[i].dram_read, 1, 0.002);
  }
}

TEST(GpuStream, ARestOfAWarpLeavesLanesOut) {
  const auto counts = recorded(stream::gpu_kernel("triad", 33));
  EXPECT_EQ(counts.instructions, 8u);  // 2 loads, an FMA and a store by two warps
  EXPECT_EQ(counts.lanes, 4u * 33);
}

TEST(GpuStream, RefusesWhatIsNotThere) {
  EXPECT_THROW(stream::gpu_kernel("quad", 100), std::invalid_argument);
  EXPECT_THROW(stream::gpu_kernel("copy", 0), std::invalid_argument);
  EXPECT_THROW(stencil::gpu_kernel(2, 7), std::invalid_argument);
  EXPECT_THROW(stencil::gpu_kernel(8, 9), std::invalid_argument);
}

TEST(GpuModel, SaysWhenABlockDoesNotFit) {
  auto kernel = stream::gpu_kernel("copy", 4096);
  kernel.registers = 255;
  try {
    v100().count(kernel);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "stream/copy: a block of 1024 threads does not fit an SM of v100 (registers)");
  }
}

TEST(GpuModel, ResidencyNamesItsLimit) {
  const auto device = v100().device();
  auto kernel = stream::gpu_kernel("copy", 4096);
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
}  // namespace roofline
