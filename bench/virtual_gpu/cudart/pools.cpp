// Stream-ordered memory. Work is done in the order of the calls, so that an allocation is there at once.
#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

namespace {

/// The only pool. It holds nothing, because all memory comes from the device.
cudaMemPool_t default_pool() {
  static char place;
  return reinterpret_cast<cudaMemPool_t>(&place);
}

/// Memory of a graph would live as long as its launches.
cudaError_t refuse_memory_of_a_graph() { return refuse("memory that a graph allocates or frees"); }

}  // namespace

ROOFLINE_CALL_ON(cudaMallocAsync, pointer, bytes, stream) {
  if (!pointer) return cudaErrorInvalidValue;
  if (on.capture) return refuse_memory_of_a_graph();
  if (bytes == 0) return give(pointer, nullptr);
  if (const auto fault = state.settings.faults.next(Site::allocation)) return error_of(*fault);
  *pointer = state.memory->allocate(bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

ROOFLINE_CALL_ON(cudaFreeAsync, pointer, stream) {
  if (!pointer) return cudaSuccess;
  if (on.capture) return refuse_memory_of_a_graph();
  return state.memory->free(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

ROOFLINE_CALL(cudaDeviceGetDefaultMemPool, pool, device) {
  return device == 0 ? give(pool, default_pool()) : cudaErrorInvalidDevice;
}

// Attributes steer how much memory a pool keeps, and this one keeps none.
ROOFLINE_CALL(cudaMemPoolSetAttribute, pool, which, value) {
  const bool known = which >= cudaMemPoolReuseFollowEventDependencies && which <= cudaMemPoolAttrUsedMemHigh;
  return pool == default_pool() && value && known ? cudaSuccess : cudaErrorInvalidValue;
}
