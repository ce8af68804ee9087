#include "microkernels/cuda/memory/pinned.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "bench/cuda/error.hpp"

namespace roofline {

PinnedMemory::PinnedMemory(std::size_t bytes) {
  void* memory = nullptr;
  cuda::require(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped),
                fmt::format("cudaHostAlloc of {:.2f} GB", 1e-9 * static_cast<double>(bytes)));
  memory_.reset(memory, [](void* p) {
    if (cuda::usable()) cudaFreeHost(p);  // it would wait for a kernel that hangs
  });
}

}  // namespace roofline
