// Attributes of kernels and how many blocks of them fit.
#include <algorithm>

#include "bench/virtual_gpu/runtime/occupancy.hpp"
#include "bench/virtual_gpu/stream/call.hpp"

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

int most_threads(const Function& function) {
  constexpr unsigned limit = 1024, registers_per_block = 65536, warp = 32;
  unsigned threads = function.kernel->max_threads ? function.kernel->max_threads : limit;
  if (function.compiled.registers)
    threads = std::min(threads, registers_per_block / function.compiled.registers / warp * warp);
  return static_cast<int>(std::min(threads, limit));
}

BlockNeeds needs(const Function& function, int threads, std::size_t dynamic) {
  return {static_cast<unsigned>(std::max(threads, 0)), function.compiled.registers,
          function.kernel->shared_bytes + dynamic};
}

cudaError_t count_blocks(int* blocks, const void* host, int threads, std::size_t dynamic) {
  return with_function(host, [&](Process& state, Function& function) {
    if (!blocks || threads <= 0) return cudaErrorInvalidValue;
    *blocks = threads > most_threads(function)
                  ? 0
                  : static_cast<int>(resident_blocks(state.device, needs(function, threads, dynamic)));
    return cudaSuccess;
  });
}

cudaError_t set_attribute(Process& state, Function& function, cudaFuncAttribute attribute, int value) {
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || value + function.kernel->shared_bytes > state.device.shared_per_block_optin)
        return cudaErrorInvalidValue;
      function.dynamic_shared_limit = value;
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      function.carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

ROOFLINE_CUDA(cudaError_t, cudaFuncGetAttributes, (cudaFuncAttributes * result, const void* host), (result, host)) {
  return with_function(host, [&](Process& state, Function& function) {
    if (!result) return cudaErrorInvalidValue;
    *result = {};
    result->sharedSizeBytes = function.kernel->shared_bytes;
    for (const auto& variable : function.image->module->variables())
      if (variable.constant) result->constSizeBytes += variable.bytes;
    result->localSizeBytes =
        std::max<std::size_t>(function.compiled.frame, function.compiled.registers ? 0 : function.kernel->local_bytes);
    result->maxThreadsPerBlock = most_threads(function);
    result->numRegs = static_cast<int>(function.registers());
    result->ptxVersion = static_cast<int>(function.image->ptx);
    result->binaryVersion = static_cast<int>(function.image->binary);
    result->maxDynamicSharedSizeBytes =
        std::max(function.dynamic_shared_limit == 48 << 10
                     ? function.dynamic_shared_limit - static_cast<int>(function.kernel->shared_bytes)
                     : function.dynamic_shared_limit,
                 0);
    result->preferredShmemCarveout = function.carveout;
    result->cacheModeCA = state.device.capability >= 70;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaFuncSetAttribute, (const void* host, cudaFuncAttribute attribute, int value),
              (host, attribute, value)) {
  return with_function(
      host, [&](Process& state, Function& function) { return set_attribute(state, function, attribute, value); });
}

ROOFLINE_CUDA(cudaError_t, cudaKernelSetAttributeForDevice,
              (cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int device),
              (kernel, attribute, value, device)) {
  return with_function(kernel, [&](Process& state, Function& function) {
    return device == 0 ? set_attribute(state, function, attribute, value) : cudaErrorInvalidDevice;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaFuncSetCacheConfig, (const void* host, cudaFuncCache config), (host, config)) {
  return with_function(host, [&](Process&, Function&) {
    return config <= cudaFuncCachePreferEqual ? cudaSuccess : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaFuncSetSharedMemConfig, (const void* host, cudaSharedMemConfig config), (host, config)) {
  return with_function(host, [&](Process&, Function&) {
    return config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaFuncGetName, (const char** name, const void* host), (name, host)) {
  return with_function(host, [&](Process&, Function& function) {
    return name ? (*name = function.name.c_str(), cudaSuccess) : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaFuncGetParamInfo, (const void* host, size_t index, size_t* offset, size_t* bytes),
              (host, index, offset, bytes)) {
  return with_function(host, [&](Process&, Function& function) {
    const auto& parameters = function.kernel->parameters;
    if (index >= parameters.size() || !offset) return cudaErrorInvalidValue;
    *offset = parameters[index].offset;
    if (bytes) *bytes = parameters[index].bytes;
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGetKernel, (cudaKernel_t * kernel, const void* host), (kernel, host)) {
  return with_function(host, [&](Process&, Function&) {
    return kernel ? (*kernel = static_cast<cudaKernel_t>(const_cast<void*>(host)), cudaSuccess) : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGetFuncBySymbol, (cudaFunction_t * function, const void* host), (function, host)) {
  return with_function(host, [&](Process&, Function&) {
    return function ? (*function = static_cast<cudaFunction_t>(const_cast<void*>(host)), cudaSuccess)
                    : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaOccupancyMaxActiveBlocksPerMultiprocessor,
              (int* blocks, const void* host, int threads, size_t dynamic), (blocks, host, threads, dynamic)) {
  return count_blocks(blocks, host, threads, dynamic);
}

ROOFLINE_CUDA(cudaError_t, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
              (int* blocks, const void* host, int threads, size_t dynamic, unsigned flags),
              (blocks, host, threads, dynamic, flags)) {
  if (flags & ~unsigned{cudaOccupancyDisableCachingOverride}) return note(cudaErrorInvalidValue);
  return count_blocks(blocks, host, threads, dynamic);
}

ROOFLINE_CUDA(cudaError_t, cudaOccupancyAvailableDynamicSMemPerBlock,
              (size_t * bytes, const void* host, int blocks, int threads), (bytes, host, blocks, threads)) {
  return with_function(host, [&](Process& state, Function& function) {
    if (!bytes || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    *bytes = dynamic_shared_for(state.device, needs(function, threads, 0), static_cast<unsigned>(blocks));
    return cudaSuccess;
  });
}
