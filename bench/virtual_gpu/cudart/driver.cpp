// Functions of the driver that programs ask for by name.
#include <cstring>

#include "bench/virtual_gpu/cudart/driver_calls.hpp"
#include "bench/virtual_gpu/stream/call.hpp"

using namespace roofline::runtime;

namespace {

cudaError_t entry_point(const char* name, void** function, cudaDriverEntryPointQueryResult* result) {
  return call([&](Process&) {
    if (!name || !function) return cudaErrorInvalidValue;
    *function = driver_function(name);
    if (result) *result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return *function || result ? cudaSuccess : cudaErrorSymbolNotFound;
  });
}

}  // namespace

ROOFLINE_CUDA(cudaError_t, cudaGetDriverEntryPoint,
              (const char* name, void** function, unsigned long long flags, cudaDriverEntryPointQueryResult* result),
              (name, function, flags, result)) {
  static_cast<void>(flags);
  return entry_point(name, function, result);
}

ROOFLINE_CUDA(cudaError_t, cudaGetDriverEntryPointByVersion,
              (const char* name, void** function, unsigned version, unsigned long long flags,
               cudaDriverEntryPointQueryResult* result),
              (name, function, version, flags, result)) {
  static_cast<void>(flags), static_cast<void>(version);
  return entry_point(name, function, result);
}
