// Stream-ordered memory. Work is done in the order of the calls, so that an allocation is there at once.
#include <algorithm>

#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

namespace {

/// A pool keeps attributes and nothing else: all memory comes from the device.
struct Pool {
  std::uint64_t release_threshold = 0, high = 0;
  int reuse[3] = {1, 1, 1};
};

Pool& default_pool() {
  static auto& pool = *new Pool;
  return pool;
}

Pool*& current_pool() {
  static Pool* current = &default_pool();
  return current;
}

Handles<Pool>& pools() {
  static auto& all = *new Handles<Pool>;
  return all;
}

Pool* find(cudaMemPool_t handle) {
  auto* const pool = reinterpret_cast<Pool*>(handle);
  return pool == &default_pool() ? pool : pools().find(handle);
}

cudaMemPool_t handle(Pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

cudaError_t allocate(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return call_on(stream, [&](Process& state, Stream& on) {
    if (!pointer) return cudaErrorInvalidValue;
    if (bytes == 0) {
      *pointer = nullptr;
      return cudaSuccess;
    }
    if (const auto fault = state.settings.faults.next(Site::allocation)) return error_of(*fault);
    *pointer = state.memory->allocate(bytes);
    if (!*pointer) return cudaErrorMemoryAllocation;
    current_pool()->high = std::max(current_pool()->high, state.memory->used());
    if (!on.capture) return cudaSuccess;
    state.count_graph_memory(bytes);
    return state.submit(on, AllocateWork{*pointer, {}});
  });
}

template <class Body>
cudaError_t with_pool(cudaMemPool_t handle, Body&& body) {
  return call([&](Process& state) {
    auto* const pool = find(handle);
    return pool ? body(state, *pool) : cudaErrorInvalidValue;
  });
}

}  // namespace

#define ROOFLINE_POOL(name, ...) ROOFLINE_FOUND(with_pool, pool, Pool& found, name, __VA_ARGS__)

ROOFLINE_CUDA(cudaMallocAsync, pointer, bytes, stream) { return allocate(pointer, bytes, stream); }

ROOFLINE_CUDA(cudaMallocFromPoolAsync, pointer, bytes, pool, stream) {
  return find(pool) ? allocate(pointer, bytes, stream) : note(cudaErrorInvalidValue);
}

ROOFLINE_CALL_ON(cudaFreeAsync, pointer, stream) {
  if (!pointer) return cudaSuccess;
  if (on.capture) return state.submit(on, FreeWork{pointer});
  return state.memory->free(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

ROOFLINE_CALL(cudaDeviceGetDefaultMemPool, pool, device) {
  if (device != 0) return cudaErrorInvalidDevice;
  return give(pool, handle(&default_pool()));
}
ROOFLINE_CALL(cudaDeviceGetMemPool, pool, device) {
  if (device != 0) return cudaErrorInvalidDevice;
  return give(pool, handle(current_pool()));
}
ROOFLINE_POOL(cudaDeviceSetMemPool, device, pool) {
  return device == 0 ? (current_pool() = &found, cudaSuccess) : cudaErrorInvalidDevice;
}

ROOFLINE_CALL(cudaMemPoolCreate, pool, properties) {
  if (!pool || !properties) return cudaErrorInvalidValue;
  if (properties->handleTypes != cudaMemHandleTypeNone) return refuse("a memory pool for several processes");
  *pool = handle(pools().add(std::make_unique<Pool>()));
  return cudaSuccess;
}
ROOFLINE_CALL(cudaMemPoolDestroy, pool) {
  if (current_pool() == pools().find(pool)) current_pool() = &default_pool();
  return pools().remove(pool) ? cudaSuccess : cudaErrorInvalidValue;
}
ROOFLINE_CUDA(cudaMemPoolTrimTo, pool, keep) {
  return with_pool(pool, [](Process&, Pool&) { return cudaSuccess; });
}

ROOFLINE_POOL(cudaMemPoolSetAttribute, pool, which, value) {
  if (!value) return cudaErrorInvalidValue;
  if (which >= cudaMemPoolReuseFollowEventDependencies && which <= cudaMemPoolReuseAllowInternalDependencies)
    found.reuse[which - cudaMemPoolReuseFollowEventDependencies] = *static_cast<int*>(value);
  else if (which == cudaMemPoolAttrReleaseThreshold)
    found.release_threshold = *static_cast<std::uint64_t*>(value);
  else if (which == cudaMemPoolAttrUsedMemHigh || which == cudaMemPoolAttrReservedMemHigh)
    found.high = 0;
  else
    return cudaErrorInvalidValue;
  return cudaSuccess;
}
ROOFLINE_POOL(cudaMemPoolGetAttribute, pool, which, value) {
  if (!value) return cudaErrorInvalidValue;
  if (which >= cudaMemPoolReuseFollowEventDependencies && which <= cudaMemPoolReuseAllowInternalDependencies) {
    *static_cast<int*>(value) = found.reuse[which - cudaMemPoolReuseFollowEventDependencies];
    return cudaSuccess;
  }
  auto& result = *static_cast<std::uint64_t*>(value);
  if (which == cudaMemPoolAttrReleaseThreshold)
    result = found.release_threshold;
  else if (which == cudaMemPoolAttrUsedMemHigh || which == cudaMemPoolAttrReservedMemHigh)
    result = found.high;
  else if (which == cudaMemPoolAttrUsedMemCurrent || which == cudaMemPoolAttrReservedMemCurrent)
    result = state.memory->used();
  else
    return cudaErrorInvalidValue;
  return cudaSuccess;
}
ROOFLINE_POOL(cudaMemPoolSetAccess, pool, accesses, count) {
  return accesses || !count ? cudaSuccess : cudaErrorInvalidValue;
}
ROOFLINE_POOL(cudaMemPoolGetAccess, flags, pool, location) {
  if (!flags || !location) return cudaErrorInvalidValue;
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}
