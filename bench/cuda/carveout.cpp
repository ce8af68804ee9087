#include "bench/cuda/carveout.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <vector>

#include "bench/cuda/error.hpp"

namespace roofline::cuda {
namespace {

/// KiB of shared memory that an SM can have, ascending: cuda_occupancy.h of CUDA 13.0; empty of what it does not know.
std::vector<std::size_t> capacities(int capability) {
  switch (capability) {
    case 70:
    case 72:
      return {0, 8, 16, 32, 64, 96};
    case 75:
      return {32, 64};
    case 80:
    case 87:
      return {0, 8, 16, 32, 64, 100, 132, 164};
    case 86:
    case 88:
    case 89:
    case 120:
    case 121:
      return {0, 8, 16, 32, 64, 100};
    case 90:
    case 100:
    case 103:
    case 110:
      return {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    default:
      return {};
  }
}

}  // namespace

int carveout_percent(int capability, std::size_t bytes) {
  const auto all = capacities(capability);
  const auto fits = std::find_if(all.begin(), all.end(), [&](std::size_t kib) { return bytes <= kib << 10; });
  // Rounded down: the next larger one is then this one, and not the one behind it.
  return fits == all.end() ? -1 : static_cast<int>(100 * *fits / all.back());
}

void leave_the_rest_to_l1(const void* kernel, int threads, std::size_t dynamic_bytes) {
  cudaFuncAttributes facts{};
  require(cudaFuncGetAttributes(&facts, kernel), "cudaFuncGetAttributes");
  int blocks = 0;
  require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_bytes),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  const auto of_block = facts.sharedSizeBytes + dynamic_bytes +
                        static_cast<std::size_t>(attribute(cudaDevAttrReservedSharedMemoryPerBlock));
  const int capability =
      10 * attribute(cudaDevAttrComputeCapabilityMajor) + attribute(cudaDevAttrComputeCapabilityMinor);
  require(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               carveout_percent(capability, static_cast<std::size_t>(blocks) * of_block)),
          "the hint of how much shared memory a kernel needs");
}

}  // namespace roofline::cuda
