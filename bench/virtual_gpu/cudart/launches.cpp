// Kernel launches.
#include "bench/virtual_gpu/stream/call.hpp"
#include "bench/virtual_gpu/stream/launch_arguments.hpp"

using namespace roofline::runtime;

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
    work.grid = grid, work.block = block, work.shared = shared, work.cooperative = cooperative;
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

ROOFLINE_CUDA(unsigned, __cudaPushCallConfiguration, (dim3 grid, dim3 block, size_t shared, cudaStream_t stream),
              (grid, block, shared, stream)) {
  pushed().push_back({grid, block, shared, stream});
  return 0;
}

ROOFLINE_CUDA(cudaError_t, __cudaPopCallConfiguration, (dim3 * grid, dim3* block, size_t* shared, void* stream),
              (grid, block, shared, stream)) {
  if (pushed().empty()) return note(cudaErrorMissingConfiguration);
  const auto top = pushed().back();
  pushed().pop_back();
  *grid = top.grid, *block = top.block, *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

ROOFLINE_CUDA(cudaError_t, __cudaGetKernel, (cudaKernel_t * kernel, const void* function), (kernel, function)) {
  return query([&](Process& state) {
    if (!state.images.function(function)) return cudaErrorInvalidDeviceFunction;
    *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, __cudaLaunchKernel,
              (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream),
              (kernel, grid, block, arguments, shared, stream)) {
  return launch(kernel, grid, block, arguments, shared, stream);
}

ROOFLINE_CUDA(cudaError_t, cudaLaunchKernel,
              (const void* function, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream),
              (function, grid, block, arguments, shared, stream)) {
  return launch(function, grid, block, arguments, shared, stream);
}

ROOFLINE_CUDA(cudaError_t, cudaLaunchCooperativeKernel,
              (const void* function, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream),
              (function, grid, block, arguments, shared, stream)) {
  return launch(function, grid, block, arguments, shared, stream, true);
}

ROOFLINE_CUDA(cudaError_t, cudaLaunchKernelExC,
              (const cudaLaunchConfig_t* config, const void* function, void** arguments),
              (config, function, arguments)) {
  if (!config) return note(cudaErrorInvalidValue);
  bool cooperative = false;
  if (const auto error = read_attributes(*config, cooperative); error != cudaSuccess) return error;
  return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream,
                cooperative);
}

ROOFLINE_CUDA(cudaError_t, cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void* data),
              (stream, function, data)) {
  if (!function) return note(cudaErrorInvalidValue);
  return call_on(stream, [&](Process& state, Stream& on) { return state.submit(on, HostWork{function, data}); });
}

ROOFLINE_CUDA(cudaError_t, cudaStreamAddCallback,
              (cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags),
              (stream, callback, data, flags)) {
  return call_on(stream, [&](Process&, Stream& on) {
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    if (on.capture) return cudaErrorStreamCaptureUnsupported;
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
  });
}
