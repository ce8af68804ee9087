// Copies and fills between host and device, one to three dimensions.
#include "bench/virtual_gpu/stream/copies.hpp"

#include "bench/virtual_gpu/stream/call.hpp"

using namespace roofline::runtime;

namespace {

/// Synchronous ones are done on the legacy default stream, and the host waits.
template <class Make>
cudaError_t synchronous(Make&& make) {
  return call([&](Process& state) {
    if (const auto error = state.refuse_in_capture(); error != cudaSuccess) return error;
    return make(state, state.legacy) ?: state.synchronise(&state.legacy);
  });
}

}  // namespace

ROOFLINE_CUDA(cudaError_t, cudaMemcpy, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind),
              (to, from, bytes, kind)) {
  return synchronous([&](Process& state, Stream& on) { return copy(state, on, linear(to, from, bytes, kind)); });
}

ROOFLINE_CUDA(cudaError_t, cudaMemcpyAsync,
              (void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
              (to, from, bytes, kind, stream)) {
  return call_on(stream, [&](Process& state, Stream& on) { return copy(state, on, linear(to, from, bytes, kind)); });
}

ROOFLINE_CUDA(cudaError_t, cudaMemcpyPeer, (void* to, int to_device, const void* from, int from_device, size_t bytes),
              (to, to_device, from, from_device, bytes)) {
  return synchronous([&](Process& state, Stream& on) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return copy(state, on, linear(to, from, bytes, cudaMemcpyDeviceToDevice));
  });
}

ROOFLINE_CUDA(cudaError_t, cudaMemcpyPeerAsync,
              (void* to, int to_device, const void* from, int from_device, size_t bytes, cudaStream_t stream),
              (to, to_device, from, from_device, bytes, stream)) {
  return call_on(stream, [&](Process& state, Stream& on) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return copy(state, on, linear(to, from, bytes, cudaMemcpyDeviceToDevice));
  });
}

ROOFLINE_CUDA(cudaError_t, cudaMemcpy2D,
              (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
               cudaMemcpyKind kind),
              (to, to_pitch, from, from_pitch, width, height, kind)) {
  return synchronous([&](Process& state, Stream& on) {
    return copy(state, on, planar(to, to_pitch, from, from_pitch, width, height, kind));
  });
}

ROOFLINE_CUDA(cudaError_t, cudaMemcpy2DAsync,
              (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
               cudaMemcpyKind kind, cudaStream_t stream),
              (to, to_pitch, from, from_pitch, width, height, kind, stream)) {
  return call_on(stream, [&](Process& state, Stream& on) {
    return copy(state, on, planar(to, to_pitch, from, from_pitch, width, height, kind));
  });
}

ROOFLINE_CUDA(cudaError_t, cudaMemcpy3D, (const cudaMemcpy3DParms* parameters), (parameters)) {
  return synchronous([&](Process& state, Stream& on) {
    CopyWork work;
    return from_parameters(parameters, work) ?: copy(state, on, work);
  });
}

ROOFLINE_CUDA(cudaError_t, cudaMemcpy3DAsync, (const cudaMemcpy3DParms* parameters, cudaStream_t stream),
              (parameters, stream)) {
  return call_on(stream, [&](Process& state, Stream& on) {
    CopyWork work;
    return from_parameters(parameters, work) ?: copy(state, on, work);
  });
}

ROOFLINE_CUDA(cudaError_t, cudaMemset, (void* pointer, int value, size_t bytes), (pointer, value, bytes)) {
  return synchronous(
      [&](Process& state, Stream& on) { return fill(state, on, rows(pointer, bytes, value, bytes, 1)); });
}

ROOFLINE_CUDA(cudaError_t, cudaMemsetAsync, (void* pointer, int value, size_t bytes, cudaStream_t stream),
              (pointer, value, bytes, stream)) {
  return call_on(stream,
                 [&](Process& state, Stream& on) { return fill(state, on, rows(pointer, bytes, value, bytes, 1)); });
}

ROOFLINE_CUDA(cudaError_t, cudaMemset2D, (void* pointer, size_t pitch, int value, size_t width, size_t height),
              (pointer, pitch, value, width, height)) {
  return synchronous(
      [&](Process& state, Stream& on) { return fill(state, on, rows(pointer, pitch, value, width, height)); });
}

ROOFLINE_CUDA(cudaError_t, cudaMemset2DAsync,
              (void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
              (pointer, pitch, value, width, height, stream)) {
  return call_on(
      stream, [&](Process& state, Stream& on) { return fill(state, on, rows(pointer, pitch, value, width, height)); });
}

ROOFLINE_CUDA(cudaError_t, cudaMemset3D, (cudaPitchedPtr pointer, int value, cudaExtent extent),
              (pointer, value, extent)) {
  return synchronous([&](Process& state, Stream& on) { return fill(state, on, slices(pointer, value, extent)); });
}

ROOFLINE_CUDA(cudaError_t, cudaMemset3DAsync,
              (cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream),
              (pointer, value, extent, stream)) {
  return call_on(stream, [&](Process& state, Stream& on) { return fill(state, on, slices(pointer, value, extent)); });
}
