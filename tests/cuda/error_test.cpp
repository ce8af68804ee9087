#include "bench/cuda/error.hpp"

#include <gtest/gtest.h>

#include "bench/cuda/device_buffer.hpp"

// With or without a GPU, a refusal gives its reason in one line.
namespace roofline::cuda::error_test {
namespace {

TEST(CudaError, MoreMemoryThanThereIs) {
  try {
    const DeviceBuffer<> too_much(Index{1} << 50);
    FAIL();
  } catch (const Error& error) {
    const std::string line = error.what();
    EXPECT_EQ(line.rfind("cudaMalloc of 9007199.25 GB on ", 0), 0u) << line;
    EXPECT_NE(line.find("; "), std::string::npos) << "no suggestion: " << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
  EXPECT_TRUE(usable());
}

// Must be the last use of the device in this process.
TEST(CudaErrorDeathTest, ALostDeviceIsLeftAlone) {
  const auto use_after_loss = [] {
    try {
      require(cudaErrorIllegalAddress, "a kernel");
    } catch (const Error&) {
    }
    if (usable()) std::exit(1);
    try {
      require(cudaSuccess, "cudaMemcpy");
    } catch (const Error& error) {
      const std::string line = error.what();
      std::exit(line.rfind("the GPU was lost earlier: a kernel on ", 0) == 0 ? 0 : 2);
    }
    std::exit(3);
  };
  EXPECT_EXIT(use_after_loss(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace roofline::cuda::error_test
