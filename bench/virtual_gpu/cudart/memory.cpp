// Memory: device, pinned and managed.
#include <algorithm>
#include <fstream>

#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"
#include "bench/virtual_gpu/stream/process.hpp"

using namespace roofline::runtime;
using roofline::ptx::Origin;

namespace {

constexpr std::size_t pitch_unit = 512;  // of cudaMallocPitch, as on current devices

cudaError_t allocate(Process& state, void** pointer, std::size_t bytes, Origin origin) {
  if (!pointer) return cudaErrorInvalidValue;
  if (const auto error = state.refuse_in_capture(); error != cudaSuccess) return error;
  if (const auto fault = state.settings.faults.next(Site::allocation)) {
    const auto error = error_of(*fault);
    if (is_sticky(error)) state.sticky = error;
    return error;
  }
  if (bytes == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  void* const memory = state.memory->allocate(bytes, origin);
  if (!memory) return cudaErrorMemoryAllocation;
  *pointer = memory;
  return cudaSuccess;
}

cudaError_t release(Process& state, void* pointer) {
  if (!pointer) return cudaSuccess;
  if (const auto error = state.synchronise(nullptr); error != cudaSuccess) return error;
  return state.memory->free(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t allocate_pinned(void** pointer, std::size_t bytes, unsigned flags) {
  return call([&](Process& state) {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (flags & ~known) return cudaErrorInvalidValue;
    const auto error = allocate(state, pointer, bytes, Origin::host);
    if (error == cudaSuccess && bytes) state.host_ranges[*pointer] = {bytes, false};
    return error;
  });
}

/// Hints on where managed memory should be: there is only one place.
cudaError_t check_hint(Process& state, const void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto allocation = state.memory->find(address);
  return allocation && bytes && bytes <= allocation->end() - address ? cudaSuccess : cudaErrorInvalidValue;
}

/// Before CUDA 13 a place was a device's number, -1 the host's.
#if CUDART_VERSION < 13000
bool exists(int place) { return place <= 0; }
#else
bool exists(const cudaMemLocation& place) { return place.type != cudaMemLocationTypeDevice || place.id == 0; }
#endif

cudaError_t prefetch(Process& state, Stream& on, const void* pointer, std::size_t bytes, bool exists) {
  if (!exists) return cudaErrorInvalidDevice;
  if (on.capture) {
    on.capture->invalidated = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return check_hint(state, pointer, bytes);
}

}  // namespace

ROOFLINE_CALL(cudaMalloc, pointer, bytes) { return allocate(state, pointer, bytes, Origin::device); }

ROOFLINE_CALL(cudaMallocManaged, pointer, bytes, flags) {
  if ((flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) || bytes == 0) return cudaErrorInvalidValue;
  return allocate(state, pointer, bytes, Origin::managed);
}

ROOFLINE_CALL(cudaMallocPitch, pointer, pitch, width, height) {
  if (!pitch) return cudaErrorInvalidValue;
  *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
  return allocate(state, pointer, *pitch * height, Origin::device);
}

ROOFLINE_CALL(cudaFree, pointer) { return release(state, pointer); }

ROOFLINE_CUDA(cudaMallocHost, pointer, bytes) { return allocate_pinned(pointer, bytes, cudaHostAllocDefault); }

ROOFLINE_CUDA(cudaHostAlloc, pointer, bytes, flags) { return allocate_pinned(pointer, bytes, flags); }

ROOFLINE_CALL(cudaFreeHost, pointer) {
  const auto found = state.host_ranges.find(pointer);
  if (pointer && (found == state.host_ranges.end() || found->second.registered)) return cudaErrorInvalidValue;
  const auto error = release(state, pointer);
  if (error == cudaSuccess && pointer) state.host_ranges.erase(found);
  return error;
}

ROOFLINE_CALL(cudaHostRegister, pointer, bytes, flags) {
  if (!pointer || bytes == 0) return cudaErrorInvalidValue;
  if (state.memory->find(reinterpret_cast<std::uintptr_t>(pointer))) return cudaErrorHostMemoryAlreadyRegistered;
  state.memory->add(pointer, bytes, Origin::host, "");
  state.host_ranges[pointer] = {bytes, true};
  return cudaSuccess;
}

ROOFLINE_CALL(cudaHostUnregister, pointer) {
  const auto found = state.host_ranges.find(pointer);
  if (found == state.host_ranges.end() || !found->second.registered) return cudaErrorHostMemoryNotRegistered;
  state.memory->remove(pointer);
  state.host_ranges.erase(found);
  return cudaSuccess;
}

ROOFLINE_CALL(cudaHostGetDevicePointer, device, host, flags) {
  if (!device || flags != 0 || !host_range(state, host)) return cudaErrorInvalidValue;
  *device = host;
  return cudaSuccess;
}

ROOFLINE_CALL(cudaMemGetInfo, free, total) {
  if (!free || !total) return cudaErrorInvalidValue;
  *total = state.device.memory;
  // The memory that the device claims to have must exist on the host.
  *free =
      std::min<std::size_t>(state.device.memory - std::min<std::uint64_t>(state.memory->used(), state.device.memory),
                            host_memory_available());
  return cudaSuccess;
}

ROOFLINE_CALL(cudaPointerGetAttributes, result, pointer) {
  if (!result) return cudaErrorInvalidValue;
  *result = {};
  const auto allocation = state.memory->find(reinterpret_cast<std::uintptr_t>(pointer));
  const bool host = allocation && allocation->origin == Origin::host,
             managed = allocation && allocation->origin == Origin::managed;
  result->type = !allocation ? cudaMemoryTypeUnregistered
                 : host      ? cudaMemoryTypeHost
                 : managed   ? cudaMemoryTypeManaged
                             : cudaMemoryTypeDevice;
  result->device = allocation ? 0 : -2;
  result->devicePointer = allocation ? const_cast<void*>(pointer) : nullptr;
  result->hostPointer = host || managed || !allocation ? const_cast<void*>(pointer) : nullptr;
  return cudaSuccess;
}

#if CUDART_VERSION < 13000
ROOFLINE_CALL_ON(cudaMemPrefetchAsync, pointer, bytes, place, stream) {
  return prefetch(state, on, pointer, bytes, exists(place));
}
#else
ROOFLINE_CALL_ON(cudaMemPrefetchAsync, pointer, bytes, place, flags, stream) {
  return flags == 0 ? prefetch(state, on, pointer, bytes, exists(place)) : cudaErrorInvalidValue;
}
#endif

ROOFLINE_CALL(cudaMemAdvise, pointer, bytes, advice, place) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
  return exists(place) ? check_hint(state, pointer, bytes) : cudaErrorInvalidDevice;
}
