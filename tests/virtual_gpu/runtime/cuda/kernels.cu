#include <cuda_runtime.h>

#include "tests/virtual_gpu/runtime/cuda/kernels.hpp"

namespace roofline::runtime::test {
namespace {

__device__ int table[4] = {1, 2, 3, 4};
__constant__ double factor;
__managed__ int values[2] = {5, 6};

__global__ void scale_values(float* data, float by, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] *= by;
}
__global__ void append(int* log, int* length, int value) { log[(*length)++] = value; }
__global__ void fault() { *reinterpret_cast<int*>(16) = table[0]; }
__global__ void use_shared(float* out) {
  __shared__ float tile[10000];
  tile[threadIdx.x] = static_cast<float>(factor);
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
__global__ void use_dynamic(int* out) {
  extern __shared__ int part[];
  part[threadIdx.x] = static_cast<int>(threadIdx.x) + values[0];
  __syncthreads();
  out[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(64) bounded(int* out) { out[threadIdx.x] = 1; }

template <class F>
const void* address(F* function) {
  return reinterpret_cast<const void*>(function);
}

}  // namespace

const void* scale_kernel() { return address(scale_values); }
const void* append_kernel() { return address(append); }
const void* fault_kernel() { return address(fault); }
const void* shared_kernel() { return address(use_shared); }
const void* dynamic_kernel() { return address(use_dynamic); }
const void* bounded_kernel() { return address(bounded); }
const void* table_symbol() { return table; }
const void* factor_symbol() { return &factor; }
int* managed_values() { return values; }

void scale(float* data, float by, int n, cudaStream_t stream) {
  constexpr int threads = 128;
  scale_values<<<(n + threads - 1) / threads, threads, 0, stream>>>(data, by, n);
}

}  // namespace roofline::runtime::test
