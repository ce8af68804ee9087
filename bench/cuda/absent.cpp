// Stands in for the rest of this folder in a build without the GPU part.
#include "bench/counters/unavailable.hpp"
#include "bench/cuda/counting.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/cuda/gpu.hpp"

namespace roofline {

Gpus find_gpus() {
  return {{},
          ROOFLINE_NO_CUDA,
          "use --device=cpu, or tools/build.sh, which builds them where a CUDA that is new enough is found"};
}

void use_gpu(const Gpu&) {}
std::vector<std::pair<std::string, std::string>> describe_gpu(const Gpu&) { return {}; }
GpuCounting open_counting(const Gpu&) { throw CountersUnavailable(ROOFLINE_NO_CUDA); }
std::vector<ChosenMetric> metrics_of(const Gpu&) { return {}; }
void launch_for_profilers(const std::string&, const Workload& work) { work.launch(); }
bool gpu_usable() { return true; }
double cuda::event_clock() { return 0; }
void cuda::take_late_samples() {}
Timer cuda::event_timer(std::function<void()>, Cache, Batch) { throw CountersUnavailable(ROOFLINE_NO_CUDA); }

}  // namespace roofline
