#include "bench/virtual_gpu/stream/copies.hpp"

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
  return {bytes_of(pointer), pitch, 0, static_cast<unsigned>(value) & 0xff, 1, width, height, 1};
}

FillWork slices(const cudaPitchedPtr& pointer, int value, const cudaExtent& extent) {
  return {bytes_of(pointer.ptr),
          pointer.pitch,
          pointer.pitch * pointer.ysize,
          static_cast<unsigned>(value) & 0xff,
          1,
          extent.width,
          extent.height,
          extent.depth};
}

cudaError_t copy(Process& process, Stream& stream, CopyWork work) {
  if (const auto error = check_copy(process, work); error != cudaSuccess) return error;
  return process.submit(stream, work);
}

cudaError_t fill(Process& process, Stream& stream, const FillWork& work) {
  if (const auto error = check_fill(process, work); error != cudaSuccess) return error;
  return process.submit(stream, work);
}

}  // namespace roofline::runtime
