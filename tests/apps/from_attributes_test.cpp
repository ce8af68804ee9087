// A device that is described by its attributes alone, beside its file.
#include <gtest/gtest.h>

#include "apps/lbm/expected.hpp"
#include "bench/virtual_gpu/devices/described.hpp"
#include "bench/virtual_gpu/memory/gpu_model.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/cuda/small_device.hpp"

namespace roofline::from_attributes_test {
namespace {

/// The attributes that the driver of a described device tells.
Gpu attributes_of(const Device& device) {
  return {.name = "a card",
          .major = static_cast<int>(device.capability) / 10,
          .minor = static_cast<int>(device.capability) % 10,
          .sms = static_cast<int>(device.sms),
          .clock_hz = device.clock,
          .memory_bytes = static_cast<double>(device.memory),
          .l2_bytes = static_cast<double>(device.l2.size),
          .memory_clock_hz = device.memory_clock,
          .bus_bits = static_cast<int>(device.bus_width)};
}

Device from_attributes(const Gpu& gpu) { return parse_device(described(gpu), gpu.name); }

TEST(FromAttributes, EveryPublishedCardIsADevice) {
  for (const auto& card : published_cards()) {
    const auto device = find_device(card.name);
    EXPECT_EQ(device.name, card.name);
    EXPECT_EQ(device.sms, static_cast<unsigned>(card.sms));
    EXPECT_NEAR(device.bandwidth(MemoryLevel::DRAM), *dram_theory(card), 1);
    EXPECT_EQ(device.l2.size, static_cast<std::uint64_t>(card.l2_bytes)) << card.name << ": whole sets";
  }
}

TEST(FromAttributes, RatesAreThoseOfTheDataSheets) {
  const auto tflops = [](const std::string& name) {
    for (const auto& ceiling : find_device(name).ceilings)
      if (ceiling.operation == Operation::fma && ceiling.kind == Ceiling::Kind::compute) return 1e-12 * ceiling.rate;
    return 0.0;
  };
  // NVIDIA's data sheets: H100 PCIe 26, GH200 34, B200 37; FP32 of an L4 30.3, of an A10 31.2, of an RTX 4090 82.6,
  // whose FP64 is a 64th of it.
  EXPECT_NEAR(tflops("h100-pcie"), 26, 0.5);
  EXPECT_NEAR(tflops("gh200"), 34, 0.6);
  EXPECT_NEAR(tflops("b200"), 37, 0.6);
  EXPECT_NEAR(64 * tflops("l4"), 30.3, 0.1);
  EXPECT_NEAR(64 * tflops("a10"), 31.2, 0.1);
  EXPECT_NEAR(64 * tflops("rtx4090"), 82.6, 0.1);
}

class FromAttributesOf : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Known, FromAttributesOf, ::testing::Values("v100", "a100", "h100", "h200"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(FromAttributesOf, GeometryIsTheFiles) {
  const auto file = find_device(GetParam()), made = from_attributes(attributes_of(find_device(GetParam())));
  for (const auto& [a, b] : {std::pair(file.l1, made.l1), std::pair(file.l2, made.l2)}) {
    EXPECT_EQ(a.size, b.size);
    EXPECT_EQ(a.line, b.line);
    EXPECT_EQ(a.ways, b.ways);
    EXPECT_EQ(a.halves, b.halves);
    EXPECT_EQ(a.latency, b.latency);
  }
  EXPECT_EQ(file.merged_reads, made.merged_reads);
  EXPECT_EQ(file.gpcs, made.gpcs);
  EXPECT_EQ(file.shared_options, made.shared_options);
  EXPECT_EQ(file.fp64_lanes, made.fp64_lanes);
  EXPECT_EQ(file.fp32_lanes, made.fp32_lanes);
  EXPECT_EQ(file.warps_per_sm, made.warps_per_sm);
  EXPECT_EQ(file.blocks_per_sm, made.blocks_per_sm);
}

/// The ends of a file's interval move by what the assumed bandwidth of L2 does to the greedy schedule.
TEST_P(FromAttributesOf, BytesLieInTheInterval) {
  if (!runtime::can_run_virtually()) GTEST_SKIP() << "a build without CUDA has no kernels to run";
  const runtime::Scope scope(GetParam());
  const GpuModel file(find_device(GetParam())), made(from_attributes(attributes_of(find_device(GetParam()))));
  const auto compare = [&](const std::string& family, const std::string& name, const Sizes& sizes) {
    const auto work = testing::made(testing::gpu_rows(family, sizes, {}, Launches::modelled), name);
    const auto kernels = recorded_kernels(work.launch, false);
    constexpr double effort = 0.1;
    const auto expected = count_kernels(file, kernels, effort).counts(),
               counts = count_kernels(made, kernels, effort).counts();
    EXPECT_EQ(counts.operations, expected.operations) << name;
    EXPECT_EQ(counts.at(MemoryLevel::L1)->total(), expected.at(MemoryLevel::L1)->total()) << name;
    for (const auto level : {MemoryLevel::L2, MemoryLevel::DRAM}) {
      const auto& range = expected.range[static_cast<std::size_t>(level)];
      ASSERT_TRUE(range);
      constexpr double rounding = 1e-3;
      EXPECT_GE(counts.at(level)->total(), range->low * (1 - rounding)) << name << ' ' << roofline::name(level);
      EXPECT_LE(counts.at(level)->total(), range->high * (1 + rounding)) << name << ' ' << roofline::name(level);
    }
  };
  compare("stream", "stream/triad/n:4194304", {1 << 22});
  compare("stencil", "stencil/7pt/n:130", {130});
  compare("gsrb", "gsrb/fp/op:fv4/level:6", {6});
  compare("gpp", "gpp/nw:2/fma:1/stride:1", {64, 2, 2048, 16});
  compare("lbm", lbm::collide_name("v0", {64, 256}, true), {64, 256});
}

}  // namespace
}  // namespace roofline::from_attributes_test
