// Copies and fills between host and device, one to three dimensions.
#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

namespace {

/// Synchronous ones are done on the legacy default stream, and the host waits.
template <class Make>
cudaError_t synchronous(cudaStream_t, Make&& make) {
  return call([&](Process& state) {
    if (const auto error = state.refuse_in_capture(); error != cudaSuccess) return error;
    return make(state, state.legacy) ?: state.synchronise(&state.legacy);
  });
}

}  // namespace

#define ROOFLINE_SYNCHRONOUS(name, ...) ROOFLINE_FOUND(synchronous, nullptr, Stream& on, name, __VA_ARGS__)

ROOFLINE_SYNCHRONOUS(cudaMemcpy, to, from, bytes, kind) { return copy(state, on, linear(to, from, bytes, kind)); }

ROOFLINE_CALL_ON(cudaMemcpyAsync, to, from, bytes, kind, stream) {
  return copy(state, on, linear(to, from, bytes, kind));
}

ROOFLINE_SYNCHRONOUS(cudaMemcpy2D, to, to_pitch, from, from_pitch, width, height, kind) {
  return copy(state, on, planar(to, to_pitch, from, from_pitch, width, height, kind));
}

ROOFLINE_CALL_ON(cudaMemcpy2DAsync, to, to_pitch, from, from_pitch, width, height, kind, stream) {
  return copy(state, on, planar(to, to_pitch, from, from_pitch, width, height, kind));
}

ROOFLINE_SYNCHRONOUS(cudaMemset, pointer, value, bytes) {
  return fill(state, on, rows(pointer, bytes, value, bytes, 1));
}

ROOFLINE_CALL_ON(cudaMemsetAsync, pointer, value, bytes, stream) {
  return fill(state, on, rows(pointer, bytes, value, bytes, 1));
}
