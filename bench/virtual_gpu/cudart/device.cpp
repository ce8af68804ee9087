// The devices: one, or those that the settings name, of which a process uses one at a time.
#include <cuda_profiler_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/virtual_gpu/cudart/device_facts.hpp"
#include "bench/virtual_gpu/stream/entry_point.hpp"

using namespace roofline::runtime;

namespace {

constexpr int bus_id_size = sizeof "0000:01:00.0";

bool is_known(const Process& state, int device) {
  return device >= 0 && device < static_cast<int>(state.devices.size());
}
cudaError_t known(const Process& state, int device) {
  return is_known(state, device) ? cudaSuccess : cudaErrorInvalidDevice;
}

/// The last one has the first place on the bus: an order that is not CUDA's.
std::string bus_id(const Process& state, int device) {
  return fmt::format("0000:{:02x}:00.0", static_cast<int>(state.devices.size()) - device);
}

}  // namespace

ROOFLINE_QUERY(cudaGetDeviceCount, count) { return give(count, static_cast<int>(state.devices.size())); }

ROOFLINE_QUERY(cudaGetDevice, device) { return give(device, state.current); }

ROOFLINE_CALL(cudaSetDevice, device) {
  if (!is_known(state, device)) return cudaErrorInvalidDevice;
  state.current = device;
  state.device = state.devices[static_cast<std::size_t>(device)];
  return cudaSuccess;
}

ROOFLINE_QUERY(cudaGetDeviceProperties, result, device) {
  if (result && !is_known(state, device)) return cudaErrorInvalidDevice;
  const auto given = give(result, properties(state.devices[static_cast<std::size_t>(device)]));
  if (given == cudaSuccess) result->uuid.bytes[15] = static_cast<char>(device);
  return given;
}

ROOFLINE_QUERY(cudaDeviceGetAttribute, value, which, device) {
  if (value && !is_known(state, device)) return cudaErrorInvalidDevice;
  const auto found = value ? attribute(state.devices[static_cast<std::size_t>(device)], which) : std::nullopt;
  return found ? give(value, *found) : cudaErrorInvalidValue;
}

ROOFLINE_QUERY(cudaDeviceGetPCIBusId, text, length, device) {
  if (!text || length < bus_id_size) return cudaErrorInvalidValue;
  std::snprintf(text, static_cast<std::size_t>(length), "%s", bus_id(state, device).c_str());
  return known(state, device);
}

ROOFLINE_CALL(cudaDeviceSynchronize) { return state.synchronise(nullptr); }

ROOFLINE_CALL(cudaDeviceReset) { return state.synchronise(nullptr); }

// Limits of the device do not bind here.
ROOFLINE_CALL(cudaDeviceSetLimit, limit, value) {
  constexpr cudaLimit known[] = {cudaLimitStackSize,
                                 cudaLimitPrintfFifoSize,
                                 cudaLimitMallocHeapSize,
                                 cudaLimitMaxL2FetchGranularity,
                                 cudaLimitDevRuntimePendingLaunchCount,
                                 cudaLimitPersistingL2CacheSize};
  return std::count(std::begin(known), std::end(known), limit) ? cudaSuccess : cudaErrorUnsupportedLimit;
}

ROOFLINE_CALL(cudaSetDeviceFlags, flags) {
  return flags & ~unsigned{cudaDeviceMask} ? cudaErrorInvalidValue : cudaSuccess;
}

ROOFLINE_CALL(cudaDeviceGetStreamPriorityRange, least, greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}

ROOFLINE_CALL(cudaCtxResetPersistingL2Cache) { return cudaSuccess; }

ROOFLINE_CUDA(cudaDriverGetVersion, version) { return note(give(version, CUDART_VERSION)); }
ROOFLINE_CUDA(cudaRuntimeGetVersion, version) { return note(give(version, CUDART_VERSION)); }

ROOFLINE_CALL(cudaProfilerStart) { return cudaSuccess; }
ROOFLINE_CALL(cudaProfilerStop) { return cudaSuccess; }

// Peers are other devices: a device is not its own peer.
ROOFLINE_QUERY(cudaDeviceCanAccessPeer, can, device, peer) {
  if (!can) return cudaErrorInvalidValue;
  return device == 0 && peer == 0 ? give(can, 0) : cudaErrorInvalidDevice;
}

// Channel formats: plain data, which the templates of the headers make even in programs without textures.
ROOFLINE_CUDA(cudaCreateChannelDesc, x, y, z, w, kind) { return {x, y, z, w, kind}; }
