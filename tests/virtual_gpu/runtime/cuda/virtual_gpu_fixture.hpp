#pragma once
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "bench/virtual_gpu/stream/process.hpp"
#include "tests/virtual_gpu/runtime/cuda/kernels.hpp"

namespace roofline::runtime::test {

/// A new virtual device for each test.
class VirtualGpu : public ::testing::Test {
 protected:
  void SetUp() override { start({}); }
  static void start(Settings settings) {
    settings.host_threads = 1;
    process().start(std::move(settings));
    cudaGetLastError();
  }
  static void start_with_faults(const char* faults) {
    Settings settings;
    settings.faults = FaultPlan(faults);
    start(std::move(settings));
  }

  template <class... Arguments>
  static cudaError_t launch(const void* kernel, dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream,
                            Arguments... arguments) {
    std::array<void*, sizeof...(Arguments) + 1> pointers{static_cast<void*>(&arguments)..., nullptr};
    return cudaLaunchKernel(kernel, grid, block, pointers.data(), shared, stream);
  }
  /// Device memory that holds these values; freed with the device.
  template <class T>
  static T* upload(const std::vector<T>& values) {
    void* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, values.size() * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    return static_cast<T*>(pointer);
  }
  template <class T>
  static std::vector<T> download(const T* pointer, std::size_t n) {
    std::vector<T> values(n);
    EXPECT_EQ(cudaMemcpy(values.data(), pointer, n * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }
};

}  // namespace roofline::runtime::test
