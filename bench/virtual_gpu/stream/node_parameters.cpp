#include "bench/virtual_gpu/stream/node_parameters.hpp"

#include "bench/virtual_gpu/stream/copies.hpp"
#include "bench/virtual_gpu/stream/launch_arguments.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

namespace roofline::runtime {

cudaError_t work_of(Process& process, const cudaKernelNodeParams& parameters, Work& work) {
  if (parameters.extra) return cudaErrorInvalidValue;
  KernelWork kernel;
  kernel.grid = parameters.gridDim, kernel.block = parameters.blockDim, kernel.shared = parameters.sharedMemBytes;
  const auto error = prepare(process, parameters.func, parameters.kernelParams, kernel);
  work = std::move(kernel);
  return error;
}

cudaError_t work_of(Process& process, const cudaMemcpy3DParms& parameters, Work& work) {
  CopyWork copy;
  if (const auto error = from_parameters(&parameters, copy); error != cudaSuccess) return error;
  work = copy;
  return check_copy(process, copy);
}

cudaError_t work_of(Process& process, const cudaMemsetParams& parameters, Work& work) {
  if (parameters.elementSize != 1 && parameters.elementSize != 2 && parameters.elementSize != 4)
    return cudaErrorInvalidValue;
  const FillWork fill{static_cast<std::byte*>(parameters.dst),
                      parameters.pitch,
                      0,
                      parameters.value,
                      parameters.elementSize,
                      parameters.width,
                      parameters.height,
                      1};
  work = fill;
  return check_fill(process, fill);
}

cudaError_t work_of(Process&, const cudaHostNodeParams& parameters, Work& work) {
  work = HostWork{parameters.fn, parameters.userData};
  return parameters.fn ? cudaSuccess : cudaErrorInvalidValue;
}

cudaKernelNodeParams parameters_of(Node& node, KernelWork& work) {
  node.argument_views.clear();
  for (const auto& parameter : work.function->kernel->parameters)
    node.argument_views.push_back(work.parameters.data() + parameter.offset);
  cudaKernelNodeParams result{};
  result.func = const_cast<void*>(work.function->host);
  result.gridDim = work.grid;
  result.blockDim = work.block;
  result.sharedMemBytes = static_cast<unsigned>(work.shared);
  result.kernelParams = node.argument_views.data();
  return result;
}

cudaMemcpy3DParms parameters_of(const CopyWork& work) {
  cudaMemcpy3DParms result{};
  const auto pointer = [&](const CopyWork::Side& side) {
    return cudaPitchedPtr{side.base, side.pitch, work.width, side.pitch ? side.slice / side.pitch : 0};
  };
  result.srcPtr = pointer(work.from);
  result.dstPtr = pointer(work.to);
  result.extent = {work.width, work.height, work.depth};
  result.kind = work.kind;
  return result;
}

cudaMemsetParams parameters_of(const FillWork& work) {
  cudaMemsetParams result{};
  result.dst = work.base;
  result.pitch = work.pitch;
  result.value = work.value;
  result.elementSize = work.element;
  result.width = work.width;
  result.height = work.height;
  return result;
}

}  // namespace roofline::runtime
