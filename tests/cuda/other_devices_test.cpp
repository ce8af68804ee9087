// Devices that none of us has, described and executed on the virtual GPU, where the suite takes other ways.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "bench/cuda/gpu.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "microkernels/cuda/flops/units.hpp"
#include "tests/cuda/small_device.hpp"
#include "tests/error_of.hpp"

namespace roofline::other_devices_test {
namespace {

/// A Turing card, as far as the differences go: FP64 at 1/32, 64 KiB of shared memory.
std::string turing(const testing::Scratch& folder) {
  auto device = parse_json(known_devices().at("v100"), "");
  device["name"] = "turing";
  device["sm"]["fp64_lanes"]["value"] = 2;
  device["sm"]["shared_options"]["value"] = {32768, 65536};
  device["product"]["capability"]["value"] = 75;
  device["product"]["fp32_lanes"]["value"] = 64;
  const auto file = folder / "turing.json";
  std::ofstream(file) << device;
  return file;
}

bool has(const Suite& suite, const std::string& part) {
  return std::any_of(suite.variants().begin(), suite.variants().end(),
                     [&](const Variant& v) { return v.name.find(part) != std::string::npos; });
}

TEST(OtherDevices, CeilingsThatABuildHasNoCodeForAreOneLine) {
  struct Case {
    int capability;
    std::vector<const char*> could_be;
  };
  for (const auto& [capability, could_be] :
       {Case{75, {"fp16/fma/tensor:mma.m16n8k8"}},
        Case{80, {"bf16x2/fma/vector", "fp64/fma/tensor:mma.m8n8k4", "tf32/fma/tensor:mma.m16n8k8"}},
        Case{89, {"fp8/fma/tensor:mma.m16n8k32", "bf16/fma/tensor:mma.m16n8k16"}},
        Case{90, {"bf16x2/add/vector", "fp64/fma/tensor:mma.m16n8k16", "fp8/fma/tensor:wgmma.m64n256k32"}}}) {
    const testing::Scratch folder;
    const runtime::Scope on(testing::small_device(folder, 1e6, capability));
    Suite suite({Platform::cuda, {}, 1, {}, current_gpu()});
    ceiling_source(Platform::cuda)->add(suite);
    const auto said = suite.skipped().find("ceilings without code");
    const auto line = said == suite.skipped().end() ? std::string() : said->second;
    int missing = 0;
    for (const char* name : could_be) missing += suite.ceiling(std::string("ceiling/flops/") + name) == nullptr;
    EXPECT_EQ(missing > 0, !line.empty()) << capability << line;
    EXPECT_LE(suite.skipped().size(), 1u);
    EXPECT_EQ(missing > 0, line.find("-DROOFLINE_CUDA_ARCHITECTURES=native") != std::string::npos) << line;
  }
}

TEST(OtherDevices, GppTakesFewerBandsWhereFp64IsSlow) {
  const testing::Scratch folder;
  const Sizes sizes{512, 2, 256, 16};
  const auto flops = [&](const std::string& device) {
    const runtime::Scope on(device);
    return testing::made(testing::gpu_rows("gpp", sizes), "gpp/nw:6/fma:1/stride:1").declared_flops;
  };
  EXPECT_EQ(flops("v100"), 512u * 16 * 256 * 176);
  EXPECT_EQ(flops(turing(folder)), 64u * 16 * 256 * 176);
}

TEST(OtherDevices, CollideV4IsAbsentWhereItsSharedMemoryIsNot) {
  const testing::Scratch folder;
  {
    const runtime::Scope on("v100");
    EXPECT_TRUE(has(testing::gpu_rows("lbm", {16, 256}), "collide/v4"));
  }
  const runtime::Scope on(turing(folder));
  const auto suite = testing::gpu_rows("lbm", {16, 256});
  EXPECT_TRUE(has(suite, "collide/v3"));
  EXPECT_FALSE(has(suite, "collide/v4"));
}

TEST(OtherDevices, LevelsWithoutAWholeTileAreRefused) {
  const runtime::Scope on("v100");
  EXPECT_EQ(testing::error_of([] { testing::gpu_rows("gsrb", {4}); }),
            "--gsrb=4: on a GPU the level must be one of 5..8");
}

TEST(Units, WhatTheSuiteIssuesIsWhatTheoryIsOf) {
  Gpu turing, blackwell;
  turing.major = 7, turing.minor = 5, blackwell.major = 10;
  EXPECT_EQ(l1_bytes_per_clock(turing), 64);
  EXPECT_EQ(l1_bytes_per_clock(blackwell), 128);
  EXPECT_FALSE(tensor_flops(blackwell, "fp16")) << "its data sheet is about tcgen05, the suite issues mma.sync";
}

}  // namespace
}  // namespace roofline::other_devices_test
