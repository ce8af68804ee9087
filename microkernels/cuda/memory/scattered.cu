#include "microkernels/cuda/memory/scattered_kernels.hpp"

namespace roofline {
namespace {

constexpr int in_flight = 8;  // loads of 8 B per thread: 16 KiB per SM at 1024 threads, in sectors 64 KiB

__global__ void __launch_bounds__(1024)
    strided(const std::uint64_t* words, std::uint64_t n, int stride, std::uint64_t* out) {
  const std::uint64_t thread = threadIdx.x + std::uint64_t{blockIdx.x} * blockDim.x;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x * stride;
  std::uint32_t sum = 0;
  for (std::uint64_t i = thread * stride; i < n; i += in_flight * step) {
    std::uint64_t x[in_flight];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) x[u] = i + u * step < n ? __ldcg(words + i + u * step) : 0;
#pragma unroll
    for (int u = 0; u < in_flight; ++u) sum += static_cast<std::uint32_t>(x[u]);
  }
  out[thread] = sum;
}

__global__ void __launch_bounds__(1024)
    random_sectors(const std::uint64_t* words, int bits, std::uint32_t first, std::uint32_t count, std::uint64_t* out) {
  const std::uint32_t thread = threadIdx.x + blockIdx.x * blockDim.x, threads = gridDim.x * blockDim.x;
  std::uint32_t sum = 0;
  for (std::uint32_t i = thread; i < count; i += in_flight * threads) {
    std::uint64_t x[in_flight];
#pragma unroll
    for (int u = 0; u < in_flight; ++u)
      x[u] = i + u * threads < count ? __ldcg(words + 4 * std::uint64_t{scattered(first + i + u * threads, bits)}) : 0;
#pragma unroll
    for (int u = 0; u < in_flight; ++u) sum += static_cast<std::uint32_t>(x[u]);
  }
  out[thread] = sum;
}

__global__ void write_cycle(std::uint64_t* words, int bits) {
  const std::uint32_t n = 1u << bits;
  for (std::uint32_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
    words[4 * std::uint64_t{i}] = next_sector(i, bits);
}

__global__ void chase(const std::uint64_t* words, std::uint32_t from, int steps, std::uint64_t* out) {
  std::uint64_t at = from;
  for (int i = 0; i < steps; ++i) at = __ldcg(words + 4 * at);
  *out = at;
}

}  // namespace

cudaError_t launch_strided(const std::uint64_t* words, std::uint64_t n, int stride, Launch launch, std::uint64_t* out) {
  strided<<<launch.blocks, launch.threads>>>(words, n, stride, out);
  return cudaGetLastError();
}

cudaError_t launch_random(const std::uint64_t* words, int bits, std::uint32_t first, std::uint32_t count, Launch launch,
                          std::uint64_t* out) {
  random_sectors<<<launch.blocks, launch.threads>>>(words, bits, first, count, out);
  return cudaGetLastError();
}

cudaError_t launch_cycle(std::uint64_t* words, int bits) {
  write_cycle<<<1024, 256>>>(words, bits);
  return cudaGetLastError();
}

cudaError_t launch_chase(const std::uint64_t* words, std::uint32_t from, int steps, std::uint64_t* out) {
  chase<<<1, 1>>>(words, from, steps, out);
  return cudaGetLastError();
}

}  // namespace roofline
