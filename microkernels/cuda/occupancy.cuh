#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace roofline {

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
