// Attributes of kernels and how many blocks of them fit.
#include <algorithm>

#include "bench/virtual_gpu/runtime/virtual_device.hpp"
#include "bench/virtual_gpu/stream/entry_point.hpp"

using namespace roofline::runtime;

namespace {

/// Loads the function and hands it to the body.
template <class Body>
cudaError_t with_function(const void* host, Body&& body) {
  return call([&](Process& state) {
    Function* function = nullptr;
    if (const auto error = state.resolve(host, function); error != cudaSuccess) return error;
    return body(state, *function);
  });
}

int most_threads(const Function& found) {
  constexpr unsigned limit = 1024, registers_per_block = 65536, warp = 32;
  unsigned threads = found.kernel->max_threads ? found.kernel->max_threads : limit;
  if (found.compiled.registers)
    threads = std::min(threads, registers_per_block / found.compiled.registers / warp * warp);
  return static_cast<int>(std::min(threads, limit));
}

BlockNeeds needs(const Function& found, int threads, std::size_t dynamic) {
  return {static_cast<unsigned>(std::max(threads, 0)), found.compiled.registers, found.kernel->shared_bytes + dynamic};
}

cudaError_t count_blocks(Process& state, const Function& found, int* blocks, int threads, std::size_t dynamic) {
  if (!blocks || threads <= 0) return cudaErrorInvalidValue;
  *blocks = threads > most_threads(found)
                ? 0
                : static_cast<int>(resident_blocks(state.device, needs(found, threads, dynamic)));
  return cudaSuccess;
}

cudaError_t set_attribute(Process& state, Function& found, cudaFuncAttribute attribute, int value) {
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || value + found.kernel->shared_bytes > state.device.shared_per_block_optin)
        return cudaErrorInvalidValue;
      found.dynamic_shared_limit = value;
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      found.carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

#define ROOFLINE_FUNCTION(name, ...) ROOFLINE_FOUND(with_function, host, Function& found, name, __VA_ARGS__)

ROOFLINE_FUNCTION(cudaFuncGetAttributes, result, host) {
  if (!result) return cudaErrorInvalidValue;
  *result = {};
  result->sharedSizeBytes = found.kernel->shared_bytes;
  for (const auto& variable : found.image->module->variables())
    if (variable.constant) result->constSizeBytes += variable.bytes;
  result->localSizeBytes =
      std::max<std::size_t>(found.compiled.frame, found.compiled.registers ? 0 : found.kernel->local_bytes);
  result->maxThreadsPerBlock = most_threads(found);
  result->numRegs = static_cast<int>(found.registers());
  result->ptxVersion = static_cast<int>(found.image->ptx);
  result->binaryVersion = static_cast<int>(found.image->binary);
  result->maxDynamicSharedSizeBytes = std::max(
      found.dynamic_shared_limit == 48 << 10 ? found.dynamic_shared_limit - static_cast<int>(found.kernel->shared_bytes)
                                             : found.dynamic_shared_limit,
      0);
  result->preferredShmemCarveout = found.carveout;
  result->cacheModeCA = state.device.capability >= 70;
  return cudaSuccess;
}

ROOFLINE_FUNCTION(cudaFuncSetAttribute, host, attribute, value) {
  return set_attribute(state, found, attribute, value);
}

ROOFLINE_FUNCTION(cudaFuncSetCacheConfig, host, config) {
  return config <= cudaFuncCachePreferEqual ? cudaSuccess : cudaErrorInvalidValue;
}

ROOFLINE_FUNCTION(cudaOccupancyMaxActiveBlocksPerMultiprocessor, blocks, host, threads, dynamic) {
  return count_blocks(state, found, blocks, threads, dynamic);
}

ROOFLINE_FUNCTION(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, blocks, host, threads, dynamic, flags) {
  if (flags & ~unsigned{cudaOccupancyDisableCachingOverride}) return cudaErrorInvalidValue;
  return count_blocks(state, found, blocks, threads, dynamic);
}
