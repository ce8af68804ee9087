// Functions of the driver that programs ask for by name.
#include <cstring>

#include "bench/virtual_gpu/cudart/driver_calls.hpp"
#include "bench/virtual_gpu/stream/entry_point.hpp"

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

ROOFLINE_CUDA(cudaGetDriverEntryPoint, name, function, flags, result) { return entry_point(name, function, result); }

ROOFLINE_CUDA(cudaGetDriverEntryPointByVersion, name, function, version, flags, result) {
  return entry_point(name, function, result);
}
