#include "bench/virtual_gpu/cudart/device_facts.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>

namespace roofline::runtime {
namespace {

constexpr int thousand = 1000, pitch_limit = std::numeric_limits<int>::max();

std::optional<int> capacity(const VirtualDevice& device, cudaDeviceAttr which) {
  switch (which) {
    case cudaDevAttrMultiProcessorCount:
      return static_cast<int>(device.sms);
    case cudaDevAttrComputeCapabilityMajor:
      return static_cast<int>(device.major());
    case cudaDevAttrComputeCapabilityMinor:
      return static_cast<int>(device.minor());
    case cudaDevAttrClockRate:
      return static_cast<int>(device.clock / thousand);
    case cudaDevAttrMemoryClockRate:
      return static_cast<int>(device.memory_clock / thousand);
    case cudaDevAttrGlobalMemoryBusWidth:
      return static_cast<int>(device.bus_width);
    case cudaDevAttrL2CacheSize:
      return static_cast<int>(device.l2);
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return 48 << 10;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return static_cast<int>(device.shared_per_block_optin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(device.shared_per_sm());
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<int>(device.shared_reserved);
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return static_cast<int>(device.registers_per_sm);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return static_cast<int>(device.warps_per_sm * 32);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return static_cast<int>(device.blocks_per_sm);
    case cudaDevAttrMaxPersistingL2CacheSize:
      // What drivers report: 30 of 40 MiB on an A100, 31.25 of 50 MiB on an H100.
      return device.capability < 80   ? 0
             : device.capability < 90 ? static_cast<int>(device.l2 / 4 * 3)
                                      : static_cast<int>(device.l2 / 8 * 5);
    case cudaDevAttrMaxAccessPolicyWindowSize:
      return device.capability < 80 ? 0 : 128 << 20;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return static_cast<int>(device.fp32_lanes / device.fp64_lanes);
    default:
      return std::nullopt;
  }
}

std::optional<int> limit(cudaDeviceAttr which) {
  switch (which) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
      return 1024;
    case cudaDevAttrMaxBlockDimZ:
      return 64;
    case cudaDevAttrMaxGridDimX:
      return std::numeric_limits<int>::max();
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      return 65535;
    case cudaDevAttrWarpSize:
      return 32;
    case cudaDevAttrTotalConstantMemory:
      return 64 << 10;
    case cudaDevAttrMaxPitch:
      return pitch_limit;
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment:
      return 512;
    case cudaDevAttrTexturePitchAlignment:
      return 32;
    case cudaDevAttrAsyncEngineCount:
      return 3;
    default:
      return std::nullopt;
  }
}

/// What works here.
bool able(cudaDeviceAttr which) {
  switch (which) {
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<int> attribute(const VirtualDevice& device, cudaDeviceAttr which) {
  if (which < 1 || which >= cudaDevAttrMax) return std::nullopt;
  if (const auto value = capacity(device, which)) return value;
  if (const auto value = limit(which)) return value;
  return able(which) ? 1 : 0;
}

cudaDeviceProp properties(const VirtualDevice& device) {
  cudaDeviceProp p{};
  const auto of = [&](cudaDeviceAttr which) { return attribute(device, which).value_or(0); };
  std::snprintf(p.name, sizeof p.name, "%s", device.title.c_str());
  std::memcpy(p.uuid.bytes, "virtual", 7);
  p.totalGlobalMem = device.memory;
  p.sharedMemPerBlock = static_cast<std::size_t>(of(cudaDevAttrMaxSharedMemoryPerBlock));
  p.regsPerBlock = p.regsPerMultiprocessor = of(cudaDevAttrMaxRegistersPerBlock);
  p.warpSize = of(cudaDevAttrWarpSize);
  p.memPitch = pitch_limit;
  p.maxThreadsPerBlock = of(cudaDevAttrMaxThreadsPerBlock);
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = of(cudaDevAttrMaxBlockDimX);
  p.maxThreadsDim[2] = of(cudaDevAttrMaxBlockDimZ);
  p.maxGridSize[0] = of(cudaDevAttrMaxGridDimX);
  p.maxGridSize[1] = p.maxGridSize[2] = of(cudaDevAttrMaxGridDimY);
  p.totalConstMem = static_cast<std::size_t>(of(cudaDevAttrTotalConstantMemory));
  p.major = static_cast<int>(device.major());
  p.minor = static_cast<int>(device.minor());
  p.textureAlignment = p.surfaceAlignment = static_cast<std::size_t>(of(cudaDevAttrTextureAlignment));
  p.texturePitchAlignment = static_cast<std::size_t>(of(cudaDevAttrTexturePitchAlignment));
  p.multiProcessorCount = of(cudaDevAttrMultiProcessorCount);
  p.canMapHostMemory = p.concurrentKernels = p.ECCEnabled = p.unifiedAddressing = p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = p.managedMemory = p.concurrentManagedAccess = 1;
  p.computePreemptionSupported = p.canUseHostPointerForRegisteredMem = p.cooperativeLaunch = 1;
  p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  p.asyncEngineCount = of(cudaDevAttrAsyncEngineCount);
  p.memoryBusWidth = of(cudaDevAttrGlobalMemoryBusWidth);
  p.l2CacheSize = of(cudaDevAttrL2CacheSize);
  p.maxThreadsPerMultiProcessor = of(cudaDevAttrMaxThreadsPerMultiProcessor);
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(of(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  p.sharedMemPerBlockOptin = static_cast<std::size_t>(of(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  p.reservedSharedMemPerBlock = static_cast<std::size_t>(of(cudaDevAttrReservedSharedMemoryPerBlock));
  p.maxBlocksPerMultiProcessor = of(cudaDevAttrMaxBlocksPerMultiprocessor);
  p.persistingL2CacheMaxSize = of(cudaDevAttrMaxPersistingL2CacheSize);
  p.accessPolicyMaxWindowSize = of(cudaDevAttrMaxAccessPolicyWindowSize);
  p.pciBusID = 1;
  return p;
}

}  // namespace roofline::runtime
