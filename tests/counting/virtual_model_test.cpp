#include "bench/counting/virtual_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/run/chosen_device.hpp"
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

TEST(ModelOfGpu, AnUnknownGpuAndAPartOfOneHaveNoModel) {
  EXPECT_FALSE(modelled_counts({.name = "NVIDIA B200"}, {}));
  EXPECT_FALSE(modelled_counts({.name = "NVIDIA H200 MIG 1g.18gb"}, {}));
}

TEST(ModelOfGpu, RowsOfTheRunAreModelledAtItsSizes) {
  const auto& all = families();
  if (std::none_of(all.begin(), all.end(), [](const Registration& r) { return r.ports.count(Platform::cuda) > 0; }))
    GTEST_SKIP() << "a build without CUDA has no rows on a GPU";
  Options options;
  options.sizes["stream"] = {1 << 22};
  const auto counts = modelled_counts({.name = "NVIDIA H200"}, options);
  ASSERT_TRUE(counts);
  EXPECT_FALSE(counts->count("no/such/row", {}));
  const auto triad = counts->count("stream/triad/n:4194304", {});
  ASSERT_TRUE(triad);
  EXPECT_EQ(triad->operations.flops(), 2u << 22);
  EXPECT_EQ(triad->at(MemoryLevel::L1)->total(), 24.0 * (1 << 22));
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

TEST(DeviceChoice, RefusesOtherTexts) {
  for (const auto* text : {"cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "tpu", ""})
    EXPECT_THROW(choose_device(text, two), std::invalid_argument) << text;
}

}  // namespace
}  // namespace roofline::virtual_model_test
