#pragma once
#include "microkernels/cuda/flops/flops.hpp"

namespace roofline {

/// Every thread writes this value behind the clocks if its results are right, else the number of wrong ones.
inline constexpr std::uint64_t tensor_right = 0x600d;

/// One generated loop of matrix instructions D = A B + D, every warp with its own accumulators D.
struct CudaTensorKernel {
  const char* instruction;  ///< mma.m16n8k16
  const char* precision;    ///< of A and B: fp64, tf32, fp16, bf16, fp8, int8
  int capability;           ///< 10 major + minor from which the instruction exists
  int m, n, k;
  int chains, steps;
  cudaError_t (*launch)(const LoopLaunch&);
  int (*blocks_per_sm)(int threads);
};
std::span<const CudaTensorKernel> cuda_tensor_kernels();
/// Kernels of groups of four warps, on Hopper: blocks of 128 threads.
std::span<const CudaTensorKernel> cuda_wgmma_kernels();
/// Whether devices of a compute capability (10 major + minor) have the instruction.
bool runs_on(const CudaTensorKernel& kernel, int capability);

/// A(i, k) = tensor_row(i), B(k, j) = tensor_column(j): small integers, so that every sum is exact in every precision.
/// Where long sums would not be, instructions take A and -A in turn and A once more at the end.
ROOFLINE_BODY int tensor_row(int i) { return 1 + i % 5; }
ROOFLINE_BODY int tensor_column(int j) { return 1 + j % 3; }

}  // namespace roofline
