// The device: there is one, number 0.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/virtual_gpu/cudart/device_facts.hpp"
#include "bench/virtual_gpu/stream/call.hpp"

using namespace roofline::runtime;

namespace {

constexpr char pci_bus_id[] = "0000:01:00.0";
constexpr int driver_version = CUDART_VERSION;

cudaError_t known(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

/// Values of cudaDeviceGetLimit before the program sets its own: what drivers report.
std::size_t default_limit(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return 1024;
    case cudaLimitPrintfFifoSize:
    case cudaLimitMallocHeapSize:
      return 8 << 20;
    case cudaLimitMaxL2FetchGranularity:
      return 64;
    case cudaLimitDevRuntimePendingLaunchCount:
      return 2048;
    default:
      return 0;
  }
}

}  // namespace

ROOFLINE_CUDA(cudaError_t, cudaGetDeviceCount, (int* count), (count)) {
  return query([&](Process&) { return count ? (*count = 1, cudaSuccess) : cudaErrorInvalidValue; });
}

ROOFLINE_CUDA(cudaError_t, cudaGetDevice, (int* device), (device)) {
  return query([&](Process&) { return device ? (*device = 0, cudaSuccess) : cudaErrorInvalidValue; });
}

ROOFLINE_CUDA(cudaError_t, cudaSetDevice, (int device), (device)) {
  return call([&](Process&) { return known(device); });
}

ROOFLINE_CUDA(cudaError_t, cudaInitDevice, (int device, unsigned device_flags, unsigned flags),
              (device, device_flags, flags)) {
  return call([&](Process& state) {
    if (flags & cudaInitDeviceFlagsAreValid) state.device_flags = device_flags;
    return known(device);
  });
}

ROOFLINE_CUDA(cudaError_t, cudaSetValidDevices, (int* devices, int count), (devices, count)) {
  return query([&](Process&) {
    for (int i = 0; i < count; ++i)
      if (known(devices[i]) != cudaSuccess) return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaChooseDevice, (int* device, const cudaDeviceProp* wanted), (device, wanted)) {
  return query([&](Process&) { return device && wanted ? (*device = 0, cudaSuccess) : cudaErrorInvalidValue; });
}

ROOFLINE_CUDA(cudaError_t, cudaGetDeviceProperties, (cudaDeviceProp * result, int device), (result, device)) {
  return query([&](Process& state) {
    if (!result) return cudaErrorInvalidValue;
    if (const auto error = known(device); error != cudaSuccess) return error;
    *result = properties(state.device);
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceGetAttribute, (int* value, cudaDeviceAttr which, int device),
              (value, which, device)) {
  return query([&](Process& state) {
    if (!value) return cudaErrorInvalidValue;
    if (const auto error = known(device); error != cudaSuccess) return error;
    const auto found = attribute(state.device, which);
    if (!found) return cudaErrorInvalidValue;
    *value = *found;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceGetPCIBusId, (char* text, int length, int device), (text, length, device)) {
  return query([&](Process&) {
    if (!text || length < static_cast<int>(sizeof pci_bus_id)) return cudaErrorInvalidValue;
    std::snprintf(text, static_cast<std::size_t>(length), "%s", pci_bus_id);
    return known(device);
  });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceGetByPCIBusId, (int* device, const char* text), (device, text)) {
  return query([&](Process&) {
    if (!device || !text) return cudaErrorInvalidValue;
    if (std::strcmp(text, pci_bus_id) != 0) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceSynchronize, (), ()) {
  return call([](Process& state) { return state.synchronise(nullptr); });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceReset, (), ()) {
  return call([](Process& state) { return state.synchronise(nullptr); });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceSetLimit, (cudaLimit limit, size_t value), (limit, value)) {
  return call([&](Process& state) {
    if (default_limit(limit) == 0 && limit != cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    state.limits[limit] = value;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceGetLimit, (size_t * value, cudaLimit limit), (value, limit)) {
  return call([&](Process& state) {
    if (!value) return cudaErrorInvalidValue;
    if (default_limit(limit) == 0 && limit != cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    const auto found = state.limits.find(limit);
    *value = found == state.limits.end() ? default_limit(limit) : found->second;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaSetDeviceFlags, (unsigned flags), (flags)) {
  return call([&](Process& state) {
    if (flags & ~unsigned{cudaDeviceMask}) return cudaErrorInvalidValue;
    state.device_flags = flags;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGetDeviceFlags, (unsigned* flags), (flags)) {
  return call([&](Process& state) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = state.device_flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceGetStreamPriorityRange, (int* least, int* greatest), (least, greatest)) {
  return call([&](Process&) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceGetCacheConfig, (cudaFuncCache * config), (config)) {
  return call(
      [&](Process&) { return config ? (*config = cudaFuncCachePreferNone, cudaSuccess) : cudaErrorInvalidValue; });
}
ROOFLINE_CUDA(cudaError_t, cudaDeviceSetCacheConfig, (cudaFuncCache config), (config)) {
  return call([&](Process&) { return config <= cudaFuncCachePreferEqual ? cudaSuccess : cudaErrorInvalidValue; });
}
ROOFLINE_CUDA(cudaError_t, cudaDeviceGetSharedMemConfig, (cudaSharedMemConfig * config), (config)) {
  return call([&](Process&) {
    return config ? (*config = cudaSharedMemBankSizeFourByte, cudaSuccess) : cudaErrorInvalidValue;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaDeviceSetSharedMemConfig, (cudaSharedMemConfig config), (config)) {
  return call([&](Process&) { return config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue; });
}
ROOFLINE_CUDA(cudaError_t, cudaCtxResetPersistingL2Cache, (), ()) {
  return call([](Process&) { return cudaSuccess; });
}

ROOFLINE_CUDA(cudaError_t, cudaDriverGetVersion, (int* version), (version)) {
  return version ? (*version = driver_version, cudaSuccess) : note(cudaErrorInvalidValue);
}
ROOFLINE_CUDA(cudaError_t, cudaRuntimeGetVersion, (int* version), (version)) {
  return version ? (*version = CUDART_VERSION, cudaSuccess) : note(cudaErrorInvalidValue);
}

ROOFLINE_CUDA(cudaError_t, cudaProfilerStart, (), ()) {
  return call([](Process&) { return cudaSuccess; });
}
ROOFLINE_CUDA(cudaError_t, cudaProfilerStop, (), ()) {
  return call([](Process&) { return cudaSuccess; });
}
