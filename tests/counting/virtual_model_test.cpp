#include "bench/counting/virtual_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/run/chosen_device.hpp"
#include "bench/virtual_gpu/devices/described.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/error_of.hpp"

namespace roofline::virtual_model_test {
namespace {

TEST(ModelOfGpu, KnownDevicesAreFoundInTheNamesThatDriversGive) {
  EXPECT_EQ(known_device_of("NVIDIA H200"), "h200");
  EXPECT_EQ(known_device_of("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(known_device_of("NVIDIA A100-SXM4-40GB"), "a100");
  EXPECT_EQ(known_device_of("Tesla V100-SXM2-16GB"), "v100");
  EXPECT_EQ(known_device_of("NVIDIA A1000 Laptop GPU"), "");
  EXPECT_EQ(known_device_of("NVIDIA B200"), "");
  EXPECT_EQ(known_device_of("NVIDIA GH200 480GB"), "");
}

TEST(ModelOfGpu, AnUnknownGenerationAndAPartOfAGpuHaveNoModel) {
  EXPECT_FALSE(modelled_counts({.name = "Tesla P100", .major = 6, .sms = 56, .l2_bytes = 4 << 20}, {}));
  EXPECT_FALSE(modelled_counts({.name = "NVIDIA L4", .major = 8, .minor = 9}, {})) << "a driver that tells nothing";
  EXPECT_FALSE(modelled_counts({.name = "NVIDIA H200 MIG 1g.18gb", .major = 9, .sms = 16, .l2_bytes = 8 << 20}, {}));
}

TEST(ModelOfGpu, RowsOfTheRunAreModelledAtItsSizes) {
  const auto& all = families();
  if (std::none_of(all.begin(), all.end(), [](const Registration& r) { return r.ports.count(Platform::cuda) > 0; }))
    GTEST_SKIP() << "a build without CUDA has no rows on a GPU";
  Options options;
  options.sizes["stream"] = {1 << 22};
  const auto counts = modelled_counts({.name = "NVIDIA H200", .sms = 132}, options);
  ASSERT_TRUE(counts);
  EXPECT_FALSE(counts->count("no/such/row", {}));
  const auto triad = counts->count("stream/triad/n:4194304", {});
  ASSERT_TRUE(triad);
  EXPECT_EQ(triad->operations.flops(), 2u << 22);
  EXPECT_EQ(triad->at(MemoryLevel::L1)->total(), 24.0 * (1 << 22));
  EXPECT_EQ(triad->modelled_device, "h200");
}

TEST(ModelOfGpu, ACardWithoutAFileIsModelledByItsAttributes) {
  if (!runtime::can_run_virtually()) GTEST_SKIP() << "a build without CUDA has no rows on a GPU";
  Options options;
  options.sizes["stream"] = {1 << 22};
  auto l4 = published_cards().at(1);
  l4.name = "NVIDIA L4";
  const Gpu pcie{.name = "NVIDIA H100 PCIe", .major = 9, .sms = 114, .clock_hz = 1.755e9, .l2_bytes = 50 << 20};
  for (const auto& gpu : {l4, pcie}) {
    const auto triad = modelled_counts(gpu, options)->count("stream/triad/n:4194304", {});
    ASSERT_TRUE(triad) << gpu.name;
    EXPECT_EQ(triad->modelled_device, gpu.name);
    EXPECT_EQ(triad->at(MemoryLevel::L1)->total(), 24.0 * (1 << 22));
    EXPECT_GT(triad->at(MemoryLevel::DRAM)->total(), 0);
  }
}

Gpus none() { return {{}, "no NVIDIA driver is loaded", "use --device=cpu"}; }

Gpus two() {
  Gpus gpus;
  for (int i = 0; i < 2; ++i) gpus.found.push_back({.index = i, .name = "GPU " + std::to_string(i)});
  return gpus;
}

TEST(DeviceChoice, AutoTakesTheFirstGpuAndElseTheCpuAndSaysWhy) {
  std::string note;
  EXPECT_FALSE(choose_device("auto", none, &note));
  EXPECT_EQ(note, "no NVIDIA driver is loaded") << "without the suggestion";
  EXPECT_EQ(choose_device("auto", two).value().index, 0);
  EXPECT_EQ(choose_device("cuda:1", two).value().name, "GPU 1");
}

TEST(DeviceChoice, AutoGivesEachLocalRankItsOwnGpu) {
  const auto one = [] {
    auto gpus = two();
    gpus.found.pop_back();
    return gpus;
  };
  for (const int rank : {0, 1, 2, 3}) {
    EXPECT_EQ(choose_device("auto", two, nullptr, rank).value().index, rank % 2);
    EXPECT_EQ(choose_device("auto", one, nullptr, rank).value().index, 0) << "a launcher that shows each rank one";
    EXPECT_EQ(choose_device("cuda:1", two, nullptr, rank).value().index, 1);
  }
}

TEST(DeviceChoice, TheCpuAsksForNoGpu) {
  EXPECT_FALSE(choose_device("cpu", []() -> Gpus { throw std::logic_error("asked"); }));
}

TEST(DeviceChoice, SaysWhyAGpuCannotBeUsed) {
  EXPECT_EQ(testing::error_of<DeviceUnavailable>([] { choose_device("cuda:0", none); }),
            "--device=cuda:0: no NVIDIA driver is loaded; use --device=cpu");
  EXPECT_THROW(choose_device("cuda:2", two), DeviceUnavailable);
}

TEST(DeviceChoice, AGpuThatWasLeftOutIsNamed) {
  const auto one_left = [] {
    auto gpus = two();
    gpus.found.erase(gpus.found.begin());
    gpus.why_none = "this build has no code for cuda:0", gpus.what_to_do = "build again";
    return gpus;
  };
  std::string note;
  EXPECT_EQ(choose_device("auto", one_left, &note).value().index, 1);
  EXPECT_EQ(note, "this build has no code for cuda:0");
  EXPECT_EQ(choose_device("cuda:1", one_left).value().index, 1);
  EXPECT_EQ(testing::error_of<DeviceUnavailable>([&] { choose_device("cuda:0", one_left); }),
            "--device=cuda:0: this build has no code for cuda:0; build again");
}

TEST(DeviceChoice, RefusesOtherTexts) {
  for (const auto* text : {"cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "tpu", ""})
    EXPECT_THROW(choose_device(text, two), std::invalid_argument) << text;
}

}  // namespace
}  // namespace roofline::virtual_model_test
