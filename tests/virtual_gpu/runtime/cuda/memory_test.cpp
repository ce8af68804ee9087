#include "tests/virtual_gpu/runtime/cuda/virtual_gpu_fixture.hpp"

namespace roofline::runtime::test::memory_test {
namespace {

TEST_F(VirtualGpu, AKernelWorksOnWhatWasCopied) {
  auto* const data = upload(std::vector<float>{1, 2, 3, 4, 5});
  scale(data, 3, 4);
  EXPECT_EQ(download(data, 5), (std::vector<float>{3, 6, 9, 12, 5}));
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaErrorInvalidValue);
}

TEST_F(VirtualGpu, CopiesBeyondAnAllocationOrInTheWrongDirectionAreRefused) {
  std::vector<char> host(128);
  auto* const device = upload(std::vector<char>(64));
  EXPECT_EQ(cudaMemcpy(device, host.data(), 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), device, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), host.data() + 64, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), device, 64, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemset(host.data(), 0, 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 64, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
}

TEST_F(VirtualGpu, PitchedCopiesLeaveTheRestOfTheRowsAlone) {
  void* memory = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&memory, &pitch, 3, 4), cudaSuccess);
  EXPECT_EQ(pitch % 256, 0u);
  cudaMemset(memory, 7, 4 * pitch);
  const std::vector<char> rows{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(cudaMemcpy2D(memory, pitch, rows.data(), 3, 3, 2, cudaMemcpyHostToDevice), cudaSuccess);
  const auto* const bytes = static_cast<const char*>(memory);
  EXPECT_EQ(download(bytes, 4), (std::vector<char>{1, 2, 3, 7}));
  EXPECT_EQ(download(bytes + pitch, 4), (std::vector<char>{4, 5, 6, 7}));
  EXPECT_EQ(download(bytes + 2 * pitch, 1), std::vector<char>{7});
}

TEST_F(VirtualGpu, PointersKnowWhatTheyPointTo) {
  const auto type = [](const void* pointer) {
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    return attributes.type;
  };
  int local = 0;
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  cudaMalloc(&device, 16), cudaMallocHost(&pinned, 16), cudaMallocManaged(&managed, 16, cudaMemAttachGlobal);
  EXPECT_EQ(type(static_cast<char*>(device) + 15), cudaMemoryTypeDevice);
  EXPECT_EQ(type(pinned), cudaMemoryTypeHost);
  EXPECT_EQ(type(managed), cudaMemoryTypeManaged);
  EXPECT_EQ(type(&local), cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaHostRegister(&local, sizeof local, cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(type(&local), cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostUnregister(&local), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(&local), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
}

TEST_F(VirtualGpu, VariablesAreReachedThroughTheirSymbols) {
  std::vector<int> table(4);
  EXPECT_EQ(cudaMemcpyFromSymbol(table.data(), table_symbol(), 16, 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(table, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(cudaMemcpyFromSymbol(table.data(), table_symbol(), 16, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyFromSymbol(table.data(), &table, 16, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidSymbol);
  const double factor = 2.5;
  EXPECT_EQ(cudaMemcpyToSymbol(factor_symbol(), &factor, 8, 0, cudaMemcpyHostToDevice), cudaSuccess);
  auto* const out = upload(std::vector<float>(32));
  EXPECT_EQ(launch(shared_kernel(), 1, 32, 0, nullptr, out), cudaSuccess);
  EXPECT_EQ(download(out, 32), std::vector<float>(32, 2.5f));
}

TEST_F(VirtualGpu, ManagedVariablesAreTheSameOnBothSides) {
  EXPECT_EQ(managed_values()[1], 6);
  managed_values()[0] = 100;
  auto* const out = upload(std::vector<int>(2));
  EXPECT_EQ(launch(dynamic_kernel(), 1, 2, 8, nullptr, out), cudaSuccess);
  EXPECT_EQ(download(out, 2), (std::vector<int>{101, 100}));
}

TEST_F(VirtualGpu, MoreMemoryThanTheDeviceHasIsNotGiven) {
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, std::size_t{81} << 30), cudaErrorMemoryAllocation);
  std::size_t free = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(total, std::size_t{80} << 30);
  EXPECT_GT(free, 0u);
}

}  // namespace
}  // namespace roofline::runtime::test::memory_test
