#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/error.hpp"
#include "bench/cuda/execute.cuh"
#include "microkernels/cuda/ert.hpp"
#include "microkernels/cuda/measured.hpp"
#include "microkernels/ert/ert.hpp"

namespace roofline {
namespace {

constexpr int grid = 1024, block = 256;

__global__ void fill(double* a, std::uint64_t n, double value) {
  for (std::uint64_t i = threadIdx.x + std::uint64_t{blockIdx.x} * blockDim.x; i < n;
       i += std::uint64_t{gridDim.x} * blockDim.x)
    a[i] = value;
}

/// out[0]: how many elements are not `value`; out[1]: the complement of the first one's place; both 0 before.
__global__ void find_others(const double* a, std::uint64_t n, double value, unsigned long long* out) {
  for (std::uint64_t i = threadIdx.x + std::uint64_t{blockIdx.x} * blockDim.x; i < n;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    if (a[i] == value) continue;
    atomicAdd(out, 1ull);
    atomicMax(out + 1, ~static_cast<unsigned long long>(i));
  }
}

}  // namespace

void launch_ert(const ErtKernel& kernel, const ErtGrid& on, std::uint32_t trials, double* a) {
  with_ert_kernel(kernel, [&]<int F, ErtStep step, bool Fma>() {
    cuda::execute(ert_launch<F, step, Fma>(on, trials, kernel.flops, a));
  });
}

void fill_ert(double* a, std::uint64_t n) {
  fill<<<grid, block>>>(a, n, ErtConstants{}.initial);
  cuda::require(cudaGetLastError(), "launch of ERT's fill kernel");
}

std::string first_wrong_element(const double* a, std::uint64_t n) {
  const DeviceWords found(2);
  find_others<<<grid, block>>>(a, n, ErtConstants{}.initial, reinterpret_cast<unsigned long long*>(found.data()));
  cuda::require(cudaGetLastError(), "launch of ERT's check");
  const auto words = found.download();
  if (words[0] == 0) return {};
  const std::uint64_t at = ~words[1];
  double got = 0;
  cuda::require(cudaMemcpy(&got, a + at, sizeof got, cudaMemcpyDeviceToHost), "cudaMemcpy of an element");
  return "element " + std::to_string(at) + ": got " + std::to_string(got) + ", expected exactly -1; " +
         std::to_string(words[0]) + " of " + std::to_string(n) + " are wrong";
}

}  // namespace roofline
