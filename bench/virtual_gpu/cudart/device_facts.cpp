#include "bench/virtual_gpu/cudart/device_facts.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>

namespace roofline::runtime {
namespace {

constexpr int thousand = 1000, pitch_limit = std::numeric_limits<int>::max();

/// All attributes that are not zero: properties of the device, limits of CUDA, and features that work here.
std::map<cudaDeviceAttr, std::uint64_t> attributes(const VirtualDevice& device) {
  return {
      {cudaDevAttrMultiProcessorCount, device.sms},
      {cudaDevAttrComputeCapabilityMajor, device.major()},
      {cudaDevAttrComputeCapabilityMinor, device.minor()},
      {cudaDevAttrClockRate, static_cast<std::uint64_t>(device.clock / thousand)},
      {cudaDevAttrMemoryClockRate, static_cast<std::uint64_t>(device.memory_clock / thousand)},
      {cudaDevAttrGlobalMemoryBusWidth, device.bus_width},
      {cudaDevAttrL2CacheSize, device.l2.size},
      {cudaDevAttrMaxSharedMemoryPerBlock, 48 << 10},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, device.shared_per_block_optin},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, device.shared_per_sm()},
      {cudaDevAttrReservedSharedMemoryPerBlock, device.shared_reserved},
      {cudaDevAttrMaxRegistersPerBlock, device.registers_per_sm},
      {cudaDevAttrMaxRegistersPerMultiprocessor, device.registers_per_sm},
      {cudaDevAttrMaxThreadsPerMultiProcessor, device.warps_per_sm * 32},
      {cudaDevAttrMaxBlocksPerMultiprocessor, device.blocks_per_sm},
      // Drivers report 30 of 40 MiB on an A100 and 31.25 of 50 MiB on an H100.
      {cudaDevAttrMaxPersistingL2CacheSize, device.capability < 80   ? 0
                                            : device.capability < 90 ? device.l2.size / 4 * 3
                                                                     : device.l2.size / 8 * 5},
      {cudaDevAttrMaxAccessPolicyWindowSize, device.capability < 80 ? 0 : 128 << 20},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, device.fp32_lanes / device.fp64_lanes},
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxBlockDimX, 1024},
      {cudaDevAttrMaxBlockDimY, 1024},
      {cudaDevAttrMaxBlockDimZ, 64},
      {cudaDevAttrMaxGridDimX, std::numeric_limits<int>::max()},
      {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxGridDimZ, 65535},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrTotalConstantMemory, 64 << 10},
      {cudaDevAttrMaxPitch, pitch_limit},
      {cudaDevAttrTextureAlignment, 512},
      {cudaDevAttrSurfaceAlignment, 512},
      {cudaDevAttrTexturePitchAlignment, 32},
      {cudaDevAttrAsyncEngineCount, 3},
      {cudaDevAttrGpuOverlap, 1},
      {cudaDevAttrCanMapHostMemory, 1},
      {cudaDevAttrConcurrentKernels, 1},
      {cudaDevAttrEccEnabled, 1},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrStreamPrioritiesSupported, 1},
      {cudaDevAttrGlobalL1CacheSupported, 1},
      {cudaDevAttrLocalL1CacheSupported, 1},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrConcurrentManagedAccess, 1},
      {cudaDevAttrComputePreemptionSupported, 1},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrHostRegisterSupported, 1},
      {cudaDevAttrMemoryPoolsSupported, 1},
  };
}

}  // namespace

std::optional<int> attribute(const VirtualDevice& device, cudaDeviceAttr which) {
  if (which < 1 || which >= cudaDevAttrMax) return std::nullopt;
  const auto known = attributes(device);
  const auto found = known.find(which);
  return found == known.end() ? 0 : static_cast<int>(found->second);
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
