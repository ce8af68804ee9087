// Kernel launches.
#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

// Functions that compiled code calls; they are not in the header.
extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                               cudaStream_t stream);
}

namespace {

struct Configuration {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
};

std::vector<Configuration>& pushed() {
  thread_local std::vector<Configuration> configurations;
  return configurations;
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream,
                   bool cooperative = false) {
  return call_on(stream, [&](Process& state, Stream& on) {
    KernelWork work;
    work.grid = grid;
    work.block = block;
    work.shared = shared;
    work.cooperative = cooperative;
    if (const auto error = prepare(state, function, arguments, work); error != cudaSuccess) return error;
    return state.submit(on, std::move(work));
  });
}

/// Cooperation from the attributes of an extended launch; clusters of more than one block are refused.
cudaError_t read_attributes(const cudaLaunchConfig_t& config, bool& cooperative) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const auto& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) cooperative = attribute.val.cooperative != 0;
    const auto& cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeClusterDimension && cluster.x * cluster.y * cluster.z > 1)
      return refuse("a launch in clusters of blocks");
  }
  return cudaSuccess;
}

}  // namespace

ROOFLINE_CUDA(__cudaPushCallConfiguration, grid, block, shared, stream) {
  pushed().push_back({grid, block, shared, stream});
  return 0;
}

ROOFLINE_CUDA(__cudaPopCallConfiguration, grid, block, shared, stream) {
  if (pushed().empty()) return note(cudaErrorMissingConfiguration);
  const auto top = pushed().back();
  pushed().pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

ROOFLINE_QUERY(__cudaGetKernel, kernel, function) {
  if (!state.images.function(function)) return cudaErrorInvalidDeviceFunction;
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

ROOFLINE_CUDA(__cudaLaunchKernel, kernel, grid, block, arguments, shared, stream) {
  return launch(kernel, grid, block, arguments, shared, stream);
}

ROOFLINE_CUDA(cudaLaunchKernel, function, grid, block, arguments, shared, stream) {
  return launch(function, grid, block, arguments, shared, stream);
}

ROOFLINE_CUDA(cudaLaunchCooperativeKernel, function, grid, block, arguments, shared, stream) {
  return launch(function, grid, block, arguments, shared, stream, true);
}

ROOFLINE_CUDA(cudaLaunchKernelExC, config, function, arguments) {
  if (!config) return note(cudaErrorInvalidValue);
  bool cooperative = false;
  if (const auto error = read_attributes(*config, cooperative); error != cudaSuccess) return error;
  return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream,
                cooperative);
}

ROOFLINE_CUDA(cudaLaunchHostFunc, stream, function, data) {
  if (!function) return note(cudaErrorInvalidValue);
  return call_on(stream, [&](Process& state, Stream& on) { return state.submit(on, HostWork{function, data}); });
}

ROOFLINE_CALL_ON(cudaStreamAddCallback, stream, callback, data, flags) {
  if (!callback || flags != 0) return cudaErrorInvalidValue;
  if (on.capture) return cudaErrorStreamCaptureUnsupported;
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
