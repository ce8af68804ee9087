
#include <cstring>

#include "bench/virtual_gpu/stream/call.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

namespace roofline::runtime {
namespace {

std::byte* bytes_of(const void* pointer) { return static_cast<std::byte*>(const_cast<void*>(pointer)); }

CopyWork::Side side(const cudaPitchedPtr& pointer, const cudaPos& at) {
  const auto slice = pointer.pitch * pointer.ysize;
  return {bytes_of(pointer.ptr) + at.z * slice + at.y * pointer.pitch + at.x, pointer.pitch, slice};
}

}  // namespace

CopyWork linear(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return {{bytes_of(to), bytes, bytes}, {bytes_of(from), bytes, bytes}, bytes, 1, 1, kind};
}

CopyWork planar(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                std::size_t height, cudaMemcpyKind kind) {
  return {{bytes_of(to), to_pitch, 0}, {bytes_of(from), from_pitch, 0}, width, height, 1, kind};
}

cudaError_t from_parameters(const cudaMemcpy3DParms* parameters, CopyWork& work) {
  if (!parameters) return cudaErrorInvalidValue;
  if (parameters->srcArray || parameters->dstArray) return refuse("a copy of a CUDA array");
  if (!parameters->srcPtr.ptr || !parameters->dstPtr.ptr) return cudaErrorInvalidValue;
  work.to = side(parameters->dstPtr, parameters->dstPos);
  work.from = side(parameters->srcPtr, parameters->srcPos);
  work.width = parameters->extent.width;
  work.height = parameters->extent.height;
  work.depth = parameters->extent.depth;
  work.kind = parameters->kind;
  return cudaSuccess;
}

FillWork rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return {.base = bytes_of(pointer),
          .pitch = pitch,
          .value = static_cast<unsigned>(value) & 0xff,
          .element = 1,
          .width = width,
          .height = height};
}

cudaError_t copy(Process& process, Stream& stream, CopyWork work) {
  if (const auto error = check_copy(process, work); error != cudaSuccess) return error;
  return process.submit(stream, work);
}

cudaError_t fill(Process& process, Stream& stream, const FillWork& work) {
  if (const auto error = check_fill(process, work); error != cudaSuccess) return error;
  return process.submit(stream, work);
}

cudaError_t prepare(Process& process, const void* function, void** arguments, KernelWork& work) {
  if (const auto error = process.resolve(function, work.function); error != cudaSuccess) return error;
  const auto& kernel = *work.function->kernel;
  if (!kernel.parameters.empty() && !arguments) return cudaErrorInvalidValue;
  work.parameters.resize(kernel.parameter_bytes);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto& parameter = kernel.parameters[i];
    if (!arguments[i]) return cudaErrorInvalidValue;
    std::memcpy(work.parameters.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return check_launch(process, work);
}

cudaError_t work_of(Process& process, const cudaKernelNodeParams& parameters, Work& work) {
  if (parameters.extra) return cudaErrorInvalidValue;
  KernelWork kernel;
  kernel.grid = parameters.gridDim;
  kernel.block = parameters.blockDim;
  kernel.shared = parameters.sharedMemBytes;
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
  const FillWork fill{.base = static_cast<std::byte*>(parameters.dst),
                      .pitch = parameters.pitch,
                      .value = parameters.value,
                      .element = parameters.elementSize,
                      .width = parameters.width,
                      .height = parameters.height};
  work = fill;
  return check_fill(process, fill);
}

cudaError_t work_of(Process&, const cudaHostNodeParams& parameters, Work& work) {
  work = HostWork{parameters.fn, parameters.userData};
  return parameters.fn ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace roofline::runtime
