// The devices: one, or those that the settings name, of which a process uses one at a time.
#include <cuda_profiler_api.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>

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

/// Values of cudaDeviceGetLimit before the program sets its own, as drivers report them.
std::size_t default_limit(cudaLimit limit) {
  static const std::map<cudaLimit, std::size_t> known = {{cudaLimitStackSize, 1024},
                                                         {cudaLimitPrintfFifoSize, 8 << 20},
                                                         {cudaLimitMallocHeapSize, 8 << 20},
                                                         {cudaLimitMaxL2FetchGranularity, 64},
                                                         {cudaLimitDevRuntimePendingLaunchCount, 2048}};
  const auto found = known.find(limit);
  return found == known.end() ? 0 : found->second;
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

ROOFLINE_CALL(cudaInitDevice, device, device_flags, flags) {
  if (flags & cudaInitDeviceFlagsAreValid) state.device_flags = device_flags;
  return known(state, device);
}

ROOFLINE_QUERY(cudaSetValidDevices, devices, count) {
  for (int i = 0; i < count; ++i)
    if (!is_known(state, devices[i])) return cudaErrorInvalidDevice;
  return cudaSuccess;
}

ROOFLINE_QUERY(cudaChooseDevice, device, wanted) {
  return device && wanted ? (*device = 0, cudaSuccess) : cudaErrorInvalidValue;
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

ROOFLINE_QUERY(cudaDeviceGetByPCIBusId, device, text) {
  if (!device || !text) return cudaErrorInvalidValue;
  for (int i = 0; is_known(state, i); ++i)
    if (text == bus_id(state, i)) return give(device, i);
  return cudaErrorInvalidDevice;
}

ROOFLINE_CALL(cudaDeviceSynchronize) { return state.synchronise(nullptr); }

ROOFLINE_CALL(cudaDeviceReset) { return state.synchronise(nullptr); }

ROOFLINE_CALL(cudaDeviceSetLimit, limit, value) {
  if (default_limit(limit) == 0 && limit != cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
  state.limits[limit] = value;
  return cudaSuccess;
}

ROOFLINE_CALL(cudaDeviceGetLimit, value, limit) {
  if (value && default_limit(limit) == 0 && limit != cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
  const auto found = state.limits.find(limit);
  return give(value, found == state.limits.end() ? default_limit(limit) : found->second);
}

ROOFLINE_CALL(cudaSetDeviceFlags, flags) {
  if (flags & ~unsigned{cudaDeviceMask}) return cudaErrorInvalidValue;
  state.device_flags = flags;
  return cudaSuccess;
}

ROOFLINE_CALL(cudaGetDeviceFlags, flags) { return give(flags, state.device_flags | cudaDeviceMapHost); }

ROOFLINE_CALL(cudaDeviceGetStreamPriorityRange, least, greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}

ROOFLINE_CALL(cudaDeviceGetCacheConfig, config) { return give(config, cudaFuncCachePreferNone); }
ROOFLINE_CALL(cudaDeviceSetCacheConfig, config) {
  return config <= cudaFuncCachePreferEqual ? cudaSuccess : cudaErrorInvalidValue;
}
ROOFLINE_CALL(cudaDeviceGetSharedMemConfig, config) { return give(config, cudaSharedMemBankSizeFourByte); }
ROOFLINE_CALL(cudaDeviceSetSharedMemConfig, config) {
  return config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue;
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
ROOFLINE_CALL(cudaDeviceEnablePeerAccess, peer, flags) {
  return flags != 0 ? cudaErrorInvalidValue : peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
}
ROOFLINE_CALL(cudaDeviceDisablePeerAccess, peer) {
  return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
}
ROOFLINE_QUERY(cudaDeviceGetP2PAttribute, value, which, from, to) {
  return value && from != to ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
}

// Channel formats: plain data, which the templates of the headers make even in programs without textures.
ROOFLINE_CUDA(cudaCreateChannelDesc, x, y, z, w, kind) { return {x, y, z, w, kind}; }
