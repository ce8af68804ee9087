// Stands in for the rest of this folder in a build without the GPU part.
#include "bench/counters/unavailable.hpp"
#include "bench/cuda/counting.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/cuda/gpu.hpp"

namespace roofline {

Gpus find_gpus() {
  return {{},
          "this build has no CUDA kernels",
          "use --device=cpu, or tools/run.sh --device=cuda:0, which builds them where nvcc is found"};
}

void use_gpu(const Gpu&) {}
GpuCounting open_counting(const Gpu&) { throw CountersUnavailable("this build has no CUDA kernels"); }
std::vector<ChosenMetric> metrics_of(const Gpu&) { return {}; }
void launch_for_profilers(const std::string&, const Workload& work) { work.launch(); }
bool gpu_usable() { return true; }
Timer cuda::event_timer(std::function<void()>, Cache, Batch) {
  throw CountersUnavailable("this build has no CUDA kernels");
}

}  // namespace roofline
