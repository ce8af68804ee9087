#include <unistd.h>

#include "tests/virtual_gpu/runtime/cuda/virtual_gpu_fixture.hpp"

namespace roofline::runtime::test::errors_test {
namespace {

TEST_F(VirtualGpu, AnErrorIsKeptUntilItIsAskedFor) {
  EXPECT_EQ(cudaSetDevice(7), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(VirtualGpu, AnIllegalAddressShowsWhenTheProgramWaitsAndThenAlways) {
  EXPECT_EQ(launch(fault_kernel(), 1, 1, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceReset(), cudaErrorIllegalAddress);
}

TEST_F(VirtualGpu, ALaunchThatCannotStartIsAnErrorOfTheLaunchAlone) {
  auto* const data = upload(std::vector<float>(64, 1.f));
  EXPECT_EQ(launch(scale_kernel(), 1, 1025, 0, nullptr, data, 2.f, 64), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(scale_kernel(), dim3(1, 65536), 32, 0, nullptr, data, 2.f, 64), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(scale_kernel(), 0, 32, 0, nullptr, data, 2.f, 64), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(bounded_kernel(), 1, 65, 0, nullptr, data), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(dynamic_kernel(), 1, 32, (48 << 10) + 4, nullptr, data), cudaErrorInvalidValue);
  EXPECT_EQ(launch(reinterpret_cast<const void*>(&process), 1, 1, 0, nullptr), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(VirtualGpu, NamesAndTextsAreThoseOfTheRuntime) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST_F(VirtualGpu, PlannedFaultsLookLikeRealOnes) {
  start_with_faults("malloc:2=out-of-memory, launch(scale):2=illegal-address, capture:1=refused");
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(cudaMalloc(&first, 64), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 64), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  cudaMemset(first, 0, 64);
  scale(static_cast<float*>(first), 2, 16);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  scale(static_cast<float*>(first), 2, 16);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

TEST_F(VirtualGpu, AHangNeverComesBack) {
  EXPECT_EXIT(
      {
        start_with_faults("sync:1=hang");
        alarm(1);
        cudaDeviceSynchronize();
      },
      testing::KilledBySignal(SIGALRM), "");
}

}  // namespace
}  // namespace roofline::runtime::test::errors_test
