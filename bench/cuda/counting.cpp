#include "bench/cuda/counting.hpp"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nvtx3/nvToolsExt.h>

#include "bench/counters/unavailable.hpp"
#include "bench/cuda/counted_launch.hpp"
#include "bench/cuda/error.hpp"

namespace roofline {

void use_gpu(const Gpu& gpu) {
  if (const auto status = cudaSetDevice(gpu.index); status != cudaSuccess)
    throw DeviceUnavailable(fmt::format("cuda:{} ({}): {}; see nvidia-smi for who uses it, or use --device=cpu",
                                        gpu.index, gpu.name, cudaGetErrorString(status)));
}

void launch_for_profilers(const std::string& row, const Workload& work) {
  counted_launch(work);
  prepare_again(work);
  cudaProfilerStart();
  cudaGetLastError();  // without a profiler it is an error that the launch would be blamed for
  nvtxRangePushA(row.c_str());
  counted_launch(work);
  nvtxRangePop();
  cudaProfilerStop();
  cudaGetLastError();
}

bool gpu_usable() { return cuda::usable(); }

}  // namespace roofline
