#include <cuda_occupancy.h>

#include "tests/virtual_gpu/runtime/cuda/virtual_gpu_fixture.hpp"

namespace roofline::runtime::test::functions_test {
namespace {

TEST_F(VirtualGpu, AttributesComeFromTheCompiledCode) {
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, shared_kernel()), cudaSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 40000u);
  EXPECT_EQ(attributes.constSizeBytes, 8u);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(attributes.ptxVersion, 90);
  EXPECT_EQ(attributes.binaryVersion, 90);
  EXPECT_GT(attributes.numRegs, 4);
  EXPECT_LT(attributes.numRegs, 64);
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, bounded_kernel()), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 64);
}

TEST_F(VirtualGpu, AnOlderDeviceRunsOlderCode) {
  Settings settings;
  settings.device = "a100";
  start(settings);
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, scale_kernel()), cudaSuccess);
  EXPECT_EQ(attributes.ptxVersion, 75);
  EXPECT_EQ(attributes.binaryVersion, 80);
}

TEST_F(VirtualGpu, OccupancyIsThatOfTheOfficialCalculator) {
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  for (const auto* const kernel : {scale_kernel(), shared_kernel(), dynamic_kernel()}) {
    cudaFuncAttributes attributes{};
    cudaFuncGetAttributes(&attributes, kernel);
    for (const int threads : {1, 32, 33, 96, 128, 257, 640, 1000, 1024})
      for (const std::size_t dynamic : {0, 1, 1000, 8192}) {
        int blocks = -1;
        ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic), cudaSuccess);
        cudaOccResult expected{};
        const cudaOccDeviceProp device(properties);
        const cudaOccFuncAttributes function(attributes);
        const cudaOccDeviceState state;
        ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&expected, &device, &function, &state, threads, dynamic),
                  CUDA_OCC_SUCCESS);
        EXPECT_EQ(blocks, expected.activeBlocksPerMultiprocessor) << threads << " " << dynamic;
      }
  }
}

TEST_F(VirtualGpu, DynamicSharedMemoryBeyond48KiBMustBeAskedFor) {
  auto* const out = upload(std::vector<int>(32));
  constexpr int bytes = 100 << 10;
  EXPECT_EQ(launch(dynamic_kernel(), 1, 32, bytes, nullptr, out), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(dynamic_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, 300 << 10),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(dynamic_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), cudaSuccess);
  EXPECT_EQ(launch(dynamic_kernel(), 1, 32, bytes, nullptr, out), cudaSuccess);
}

TEST_F(VirtualGpu, ACooperativeLaunchMustFitAtOnce) {
  float* data = upload(std::vector<float>(1));
  float factor = 1;
  int n = 0;
  void* arguments[] = {&data, &factor, &n};
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale_kernel(), 1024, 0);
  const auto most = static_cast<unsigned>(blocks) * 132;
  EXPECT_EQ(cudaLaunchCooperativeKernel(scale_kernel(), most, 1024, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchCooperativeKernel(scale_kernel(), most + 1, 1024, arguments, 0, nullptr),
            cudaErrorCooperativeLaunchTooLarge);
}

TEST_F(VirtualGpu, ADeviceSaysWhatItIs) {
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "virtual GPU (h100)");
  EXPECT_EQ(properties.multiProcessorCount, 132);
  EXPECT_EQ(properties.major, 9);
  int value = -1;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, 0), cudaSuccess);
  EXPECT_EQ(value, properties.l2CacheSize);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, 1), cudaErrorInvalidDevice);
}

}  // namespace
}  // namespace roofline::runtime::test::functions_test
