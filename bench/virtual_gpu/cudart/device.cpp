// The device: there is one, number 0.
#include <cuda_profiler_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "bench/virtual_gpu/cudart/device_facts.hpp"
#include "bench/virtual_gpu/stream/entry_point.hpp"

using namespace roofline::runtime;

namespace {

constexpr char pci_bus_id[] = "0000:01:00.0";

cudaError_t known(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

/// Values of cudaDeviceGetLimit before the program sets its own: what drivers report.
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

ROOFLINE_QUERY(cudaGetDeviceCount, count) { return give(count, 1); }

ROOFLINE_QUERY(cudaGetDevice, device) { return give(device, 0); }

ROOFLINE_CALL(cudaSetDevice, device) { return known(device); }

ROOFLINE_CALL(cudaInitDevice, device, device_flags, flags) {
  if (flags & cudaInitDeviceFlagsAreValid) state.device_flags = device_flags;
  return known(device);
}

ROOFLINE_QUERY(cudaSetValidDevices, devices, count) {
  for (int i = 0; i < count; ++i)
    if (known(devices[i]) != cudaSuccess) return cudaErrorInvalidDevice;
  return cudaSuccess;
}

ROOFLINE_QUERY(cudaChooseDevice, device, wanted) {
  return device && wanted ? (*device = 0, cudaSuccess) : cudaErrorInvalidValue;
}

ROOFLINE_QUERY(cudaGetDeviceProperties, result, device) {
  return result && device != 0 ? cudaErrorInvalidDevice : give(result, properties(state.device));
}

ROOFLINE_QUERY(cudaDeviceGetAttribute, value, which, device) {
  const auto found = attribute(state.device, which);
  if (!value || (device == 0 && !found)) return cudaErrorInvalidValue;
  return device == 0 ? give(value, *found) : cudaErrorInvalidDevice;
}

ROOFLINE_QUERY(cudaDeviceGetPCIBusId, text, length, device) {
  if (!text || length < static_cast<int>(sizeof pci_bus_id)) return cudaErrorInvalidValue;
  std::snprintf(text, static_cast<std::size_t>(length), "%s", pci_bus_id);
  return known(device);
}

ROOFLINE_QUERY(cudaDeviceGetByPCIBusId, device, text) {
  if (!device || !text) return cudaErrorInvalidValue;
  return std::strcmp(text, pci_bus_id) == 0 ? give(device, 0) : cudaErrorInvalidDevice;
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
