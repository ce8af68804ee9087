#include <stdexcept>

#include "bench/virtual_gpu/bridge/executed_kernel.hpp"
#include "bench/virtual_gpu/memory/gpu_model.hpp"
#include "bench/virtual_gpu/runtime/recording.hpp"

namespace roofline {

std::vector<GpuKernel> recorded_kernels(const std::function<void()>& launch, bool execute) {
  runtime::Recording recording(execute);
  launch();
  std::vector<GpuKernel> kernels;
  for (const auto& recorded : recording.take()) kernels.push_back(executed_kernel(recorded, runtime::device_memory()));
  if (kernels.empty()) throw std::invalid_argument("nothing was launched that a model could look at");
  return kernels;
}

}  // namespace roofline
