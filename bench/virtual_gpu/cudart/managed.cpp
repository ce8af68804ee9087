// Hints on where managed memory should be: there is only one place.
#include "bench/virtual_gpu/stream/entry_point.hpp"

using namespace roofline::runtime;

namespace {

cudaError_t check(Process& state, const void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto allocation = state.memory->find(address);
  return allocation && bytes && bytes <= allocation->end() - address ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

ROOFLINE_CALL_ON(cudaMemPrefetchAsync, pointer, bytes, location, flags, stream) {
  if (flags != 0) return cudaErrorInvalidValue;
  if (location.type == cudaMemLocationTypeDevice && location.id != 0) return cudaErrorInvalidDevice;
  if (on.capture) {
    on.capture->invalidated = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return check(state, pointer, bytes);
}

ROOFLINE_CALL(cudaMemAdvise, pointer, bytes, advice, location) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
  if (location.type == cudaMemLocationTypeDevice && location.id != 0) return cudaErrorInvalidDevice;
  return check(state, pointer, bytes);
}
