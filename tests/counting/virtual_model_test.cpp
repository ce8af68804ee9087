#include "bench/counting/virtual_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace roofline::virtual_model_test {
namespace {

TEST(ModelOfGpu, KnownDevicesAreFoundInTheNamesThatDriversGive) {
  EXPECT_EQ(known_device_of("NVIDIA H200"), "h200");
  EXPECT_EQ(known_device_of("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(known_device_of("NVIDIA A100-SXM4-40GB"), "a100");
  EXPECT_EQ(known_device_of("Tesla V100-SXM2-16GB"), "v100");
  EXPECT_EQ(known_device_of("NVIDIA A1000 Laptop GPU"), "");
  EXPECT_EQ(known_device_of("NVIDIA B200"), "");
}

TEST(ModelOfGpu, AnUnknownGpuHasNoModel) { EXPECT_FALSE(modelled_counts({.name = "NVIDIA B200"}, {})); }

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

}  // namespace
}  // namespace roofline::virtual_model_test
