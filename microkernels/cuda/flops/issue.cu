#include <array>

#include "microkernels/cuda/flops/issue.hpp"
#include "microkernels/cuda/loops.cuh"

namespace roofline {
namespace {

template <int integers, int steps>
__global__ void __launch_bounds__(1024) run_issue(const int* in, int iterations, std::uint64_t* out) {
  const float one = __int_as_float(in[0]);
  const int summand = in[1], mask = in[2];
  float sums[issue_chains];
  int words[issue_chains];
#pragma unroll
  for (int c = 0; c < issue_chains; ++c) sums[c] = static_cast<float>(c), words[c] = c;

  const BlockClock clock;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int k = 0; k < steps; ++k)
#pragma unroll
      for (int c = 0; c < issue_chains; ++c)
        if (!is_of_integers(c, integers))
          asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(sums[c]) : "f"(one));
        else if (k % 2 == 0)
          asm volatile("add.u32 %0, %0, %1;" : "+r"(words[c]) : "r"(summand));
        else
          asm volatile("xor.b32 %0, %0, %1;" : "+r"(words[c]) : "r"(mask));
  }
  clock.stop(out);

  std::uint64_t sum = 0;
#pragma unroll
  for (int c = 0; c < issue_chains; ++c)
    sum = add_to_checksum(sum,
                          static_cast<std::uint32_t>(is_of_integers(c, integers) ? words[c] : __float_as_int(sums[c])));
  out[2 * gridDim.x + blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int integers, int steps>
struct IssueLoop {
  static cudaError_t launch(const LoopLaunch& l) {
    run_issue<integers, steps><<<l.blocks, l.threads>>>(static_cast<const int*>(l.in), l.iterations, l.out);
    return cudaGetLastError();
  }
  static int blocks_per_sm(int threads) { return resident_blocks(run_issue<integers, steps>, threads); }
  static constexpr IssueKernel row() { return {integers, steps, launch, blocks_per_sm}; }
};

// 256 instructions, as in the loops of the units, and 512, of which the loop's own three are fewer.
constexpr std::array issue_loops{IssueLoop<0, 32>::row(), IssueLoop<2, 32>::row(), IssueLoop<4, 32>::row(),
                                 IssueLoop<4, 64>::row(), IssueLoop<2, 64>::row()};

}  // namespace

std::span<const IssueKernel> issue_kernels() { return issue_loops; }

}  // namespace roofline
