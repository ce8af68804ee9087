#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace roofline {

/// Cycles and nanoseconds between two points of a block, by its first thread: the SM clock while the work was done.
/// Blocks of a launch that fits the device run for as long as the launch.
class BlockClock {
 public:
  __device__ __forceinline__ BlockClock() { read(cycles_, nanoseconds_); }
  /// Writes both to out[2 * block].
  __device__ __forceinline__ void stop(std::uint64_t* out) const {
    std::uint64_t cycles, nanoseconds;
    read(cycles, nanoseconds);
    if (threadIdx.x != 0) return;
    out[2 * blockIdx.x] = cycles - cycles_;
    out[2 * blockIdx.x + 1] = nanoseconds - nanoseconds_;
  }

 private:
  __device__ __forceinline__ static void read(std::uint64_t& cycles, std::uint64_t& nanoseconds) {
    asm volatile("mov.u64 %0, %%clock64; mov.u64 %1, %%globaltimer;" : "=l"(cycles), "=l"(nanoseconds)::"memory");
  }

  std::uint64_t cycles_, nanoseconds_;
};

/// Blocks of a kernel that an SM holds at once; 0 when the device cannot run it, or only from PTX for less than
/// `capability` (10 major + minor), where bodies of newer instructions are empty. The error of that is forgotten: the
/// next launch would be blamed for it.
template <class Kernel>
int resident_blocks(Kernel kernel, int threads, std::size_t shared_bytes = 0, int capability = 0) {
  int blocks = 0;
  cudaFuncAttributes built{};
  if (capability > 0 && cudaFuncGetAttributes(&built, kernel) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  if (capability > 0 && built.ptxVersion < capability) return 0;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes) == cudaSuccess)
    return blocks;
  cudaGetLastError();
  return 0;
}

}  // namespace roofline
