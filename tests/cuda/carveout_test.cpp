#include "bench/cuda/carveout.hpp"

#include <cuda_occupancy.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline::cuda::carveout_test {
namespace {

/// Blocks of 128 threads that NVIDIA's own calculator puts on an SM whose shared memory follows a hint.
int blocks_with(const cudaDeviceProp& properties, std::size_t of_block, int hint) {
  cudaFuncAttributes attributes{};
  attributes.maxThreadsPerBlock = 1024, attributes.numRegs = 32, attributes.sharedSizeBytes = of_block;
  const cudaOccDeviceProp device(properties);
  const cudaOccFuncAttributes function(attributes);
  cudaOccDeviceState state;
  state.carveoutConfig = hint;
  cudaOccResult result{};
  EXPECT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, 128, 0), CUDA_OCC_SUCCESS);
  return result.activeBlocksPerMultiprocessor;
}

class Carveout : public ::testing::TestWithParam<const char*> {};

TEST_P(Carveout, HoldsTheBlocksOfAnSm) {
  const runtime::Scope selected(GetParam());
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  ASSERT_LT(blocks_with(properties, 20000, 25), blocks_with(properties, 20000, 100)) << "the calculator looks at hints";
  const int capability = 10 * properties.major + properties.minor;
  for (const std::size_t of_block : {std::size_t{0}, std::size_t{256}, std::size_t{3072}, std::size_t{9000},
                                     std::size_t{20000}, std::size_t{48000}}) {
    const int blocks = blocks_with(properties, of_block, SHAREDMEM_CARVEOUT_MAX_SHARED);
    ASSERT_GT(blocks, 0);
    const auto needed = static_cast<std::size_t>(blocks) * (of_block + properties.reservedSharedMemPerBlock);
    const int percent = carveout_percent(capability, needed);
    ASSERT_GE(percent, 0) << needed;
    EXPECT_EQ(blocks_with(properties, of_block, percent), blocks) << of_block << " B at " << percent << " %";
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Carveout, ::testing::Values("v100", "a100", "h100", "h200"));

TEST(Carveouts, IsTheSmallestCapacityThatHoldsTheBytes) {
  // Volta's: 8 of 96 KiB are 8.33 %; 9 % would mean the next one, 16 KiB.
  EXPECT_EQ(carveout_percent(70, 0), 0);
  EXPECT_EQ(carveout_percent(70, 1), 8);
  EXPECT_EQ(carveout_percent(70, 8 << 10), 8);
  EXPECT_EQ(carveout_percent(70, (8 << 10) + 1), 16);
  EXPECT_EQ(carveout_percent(70, 96 << 10), 100);
  EXPECT_EQ(carveout_percent(75, 0), 50) << "Turing has no less than 32 of 64 KiB";
  EXPECT_EQ(carveout_percent(90, 101 << 10), 57);
  EXPECT_EQ(carveout_percent(80, 165 << 10), -1) << "does not fit";
  EXPECT_EQ(carveout_percent(42, 0), -1) << "not known";
}

}  // namespace
}  // namespace roofline::cuda::carveout_test
