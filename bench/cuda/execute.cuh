#pragma once
#include <array>

#include "bench/cuda/carveout.hpp"
#include "bench/cuda/error.hpp"
#include "bench/cuda/launch_graph.hpp"
#include "bench/space/cuda.hpp"

namespace roofline::cuda {

/// Adds every thread's value to *total: warp by shuffles, block in shared memory, grid by one atomic addition per
/// block. All threads of a block must call it; a block has whole warps. The additions are outside every FLOP account.
///
/// `threads` is the most that a block has: one warp takes no shared memory, which would come out of its L1.
template <unsigned threads, std::size_t N>
__device__ void add_to_totals(std::array<double, N> sums, double* totals) {
  constexpr unsigned warp = 32;
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
#pragma unroll
  for (std::size_t n = 0; n < N; ++n)
#pragma unroll
    for (unsigned distance = warp / 2; distance > 0; distance /= 2) sums[n] += __shfl_down_sync(~0u, sums[n], distance);
  if constexpr (threads <= warp) {
    if (thread == 0)
#pragma unroll
      for (std::size_t n = 0; n < N; ++n) atomicAdd(totals + n, sums[n]);
  } else {
    __shared__ double of_warp[N][threads / warp];
    const unsigned warps = blockDim.x * blockDim.y * blockDim.z / warp;
    if (thread % warp == 0)
#pragma unroll
      for (std::size_t n = 0; n < N; ++n) of_warp[n][thread / warp] = sums[n];
    __syncthreads();
    if (thread < N) {
      double sum = 0;
      for (unsigned k = 0; k < warps; ++k) sum += of_warp[thread][k];
      atomicAdd(totals + thread, sum);
    }
  }
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::max_threads, Kernel::min_blocks)
    run_kernel(const __grid_constant__ Kernel kernel) {
  extern __shared__ double shared[];
  const ThreadPlace place{{blockIdx.x, blockIdx.y, blockIdx.z}, {threadIdx.x, threadIdx.y, threadIdx.z}, shared};
  if constexpr (std::is_void_v<KernelResult<Kernel>>)
    kernel(place);
  else
    add_to_totals<Kernel::max_threads>(kernel(place), kernel.totals);
}

/// Launches on the current device and returns at once; throws Error when the launch is refused.
template <class Kernel>
void execute(const CudaLaunch<Kernel>& launch) {
  constexpr std::size_t without_asking = 48 << 10;
  if (launch.shared_bytes > without_asking)
    require(cudaFuncSetAttribute(run_kernel<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(launch.shared_bytes)),
            "dynamic shared memory of more than 48 KiB");
  const auto& [grid, block, bytes, kernel] = launch;
  // Not before each launch: it takes longer than some of them.
  static unsigned arranged_threads = 0;
  static std::size_t arranged_bytes = 0;
  if (arranged_threads != block.count() || arranged_bytes != bytes) {
    leave_the_rest_to_l1(reinterpret_cast<const void*>(run_kernel<Kernel>), static_cast<int>(block.count()), bytes);
    arranged_threads = block.count(), arranged_bytes = bytes;
  }
  run_kernel<Kernel><<<dim3(grid.x, grid.y, grid.z), dim3(block.x, block.y, block.z), bytes, launch_stream()>>>(kernel);
  require(cudaGetLastError(), "the launch of a kernel");
}

}  // namespace roofline::cuda
