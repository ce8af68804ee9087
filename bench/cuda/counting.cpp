#include "bench/cuda/counting.hpp"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nvtx3/nvToolsExt.h>

#include "bench/counters/unavailable.hpp"
#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"

namespace roofline {

void use_gpu(const Gpu& gpu) {
  if (const auto status = cudaSetDevice(gpu.index); status != cudaSuccess)
    throw DeviceUnavailable(fmt::format("cuda:{} ({}): {}; see nvidia-smi for who uses it, or use --device=cpu",
                                        gpu.index, gpu.name, cudaGetErrorString(status)));
}

void counted_launch(const Workload& work) {
  constexpr double instrumented_seconds = 280;  // until a launch counts as hung
  work.launch();
  cuda::finish(instrumented_seconds);
}

void prepare_again(const Workload& work) {
  if (!work.cold) return;
  cuda::empty_l2();
  cuda::finish();
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
