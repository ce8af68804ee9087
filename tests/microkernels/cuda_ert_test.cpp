#include <gtest/gtest.h>

#include <vector>

#include "microkernels/cuda/ert.hpp"
#include "microkernels/ert/dispatch.hpp"

// The kernels of the GPU, executed on the host thread by thread.
namespace roofline::cuda_ert_test {
namespace {

// Away from the fixed point, where a missing or an extra step or trial shows.
constexpr ErtConstants moving{.initial = 1.01, .start = 0.7, .addend = 0.3};

std::vector<double> emulated(const ErtKernel& kernel, const ErtGrid& grid, unsigned trials, ErtConstants constants) {
  std::vector<double> a(grid.elements() + 8, constants.initial);
  with_ert_kernel(kernel, [&]<int F, ErtStep step, bool Fma>() {
    emulate(ert_launch<F, step, Fma>(grid, trials, kernel.flops, a.data(), constants));
  });
  return a;
}

std::vector<ErtKernel> kernels() {
  std::vector<ErtKernel> all;
  for (const bool fma : {true, false}) {
    for (const int flops : {1, 2, 3, 4, 8, 13, 16, 64, 100, 256, 512, 1023, 1024, 2047})
      all.push_back({.flops = flops, .fma = fma});
    for (const int flops : {2, 6, 128}) all.push_back({.flops = flops, .fma = fma, .step = ErtStep::divide});
  }
  return all;
}

TEST(CudaErt, HasTheBitsOfTheCpu) {
  for (const auto& kernel : kernels())
    for (const auto& grid : {ErtGrid{3, 32, false, 211}, ErtGrid{3, 32, true, 71}}) {
      const auto n = grid.elements();
      std::vector<double> cpu(n, moving.initial);
      ert_function<double>(kernel)(cpu.data(), static_cast<Index>(n), 2, kernel.flops, moving);
      const auto gpu = emulated(kernel, grid, 2, moving);
      for (std::size_t i = 0; i < gpu.size(); ++i)
        ASSERT_EQ(gpu[i], i < n ? cpu[i] : moving.initial) << i << ", F = " << kernel.flops << ", fma " << kernel.fma;
    }
}

TEST(CudaErt, StaysAtTheFixedPoint) {
  for (const auto& kernel : kernels())
    for (const double x : emulated(kernel, {2, 64, false, 150}, 3, {})) ASSERT_EQ(x, -1) << "F = " << kernel.flops;
}

// b = A = 1 + 2^-27, a = -(1 + 2^-26): the fused step gives 2^-54, two operations give 0; the store changes the sign.
TEST(CudaErt, FusesWhereItSaysSo) {
  const ErtConstants probe{.initial = 1 + 0x1p-27, .start = 1 + 0x1p-27, .addend = -(1 + 0x1p-26)};
  EXPECT_EQ(emulated({.flops = 2, .fma = true}, {1, 32, false, 32}, 1, probe)[31], -0x1p-54);
  EXPECT_EQ(emulated({.flops = 2, .fma = false}, {1, 32, false, 32}, 1, probe)[31], 0.0);
}

TEST(CudaErt, ItsIndicesDoNotOverflowAtTheLargestArray) {
  const ErtGrid grid{148 * 32, 64, false, static_cast<std::uint32_t>(ert_most_elements)};
  EXPECT_LT(std::uint64_t{grid.n} + grid.stride(), std::uint64_t{1} << 32);
}

}  // namespace
}  // namespace roofline::cuda_ert_test
