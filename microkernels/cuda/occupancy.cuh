#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace roofline {

/// Blocks of a kernel that an SM holds at once; 0 when the device cannot run it. The error of that is forgotten: the
/// next launch would be blamed for it.
template <class Kernel>
int resident_blocks(Kernel kernel, int threads, std::size_t shared_bytes = 0) {
  int blocks = 0;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes) == cudaSuccess)
    return blocks;
  cudaGetLastError();
  return 0;
}

}  // namespace roofline
