// Functions of the driver that programs ask for by name.
#include <cuda.h>

#include <cstring>

#include "bench/virtual_gpu/stream/entry_point.hpp"

using namespace roofline::runtime;

namespace {

[[maybe_unused]] CUresult current_context(CUcontext* result) {
  *result = reinterpret_cast<CUcontext>(&process());
  return CUDA_SUCCESS;
}

}  // namespace

// Our counters need the context, and CUDA 12.6. There is no other function of the driver.
#if CUDART_VERSION >= 12060
ROOFLINE_CALL(cudaGetDriverEntryPointByVersion, name, function, version, flags, result) {
  if (!name || !function) return cudaErrorInvalidValue;
  const bool known = std::strcmp(name, "cuCtxGetCurrent") == 0;
  *function = known ? reinterpret_cast<void*>(current_context) : nullptr;
  if (result) *result = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return known || result ? cudaSuccess : cudaErrorSymbolNotFound;
}
#endif
