// Errors: kept per thread, sticky ones for all.
#include "bench/virtual_gpu/runtime/error_text.hpp"
#include "bench/virtual_gpu/stream/call.hpp"

using namespace roofline::runtime;

// Neither waits: what a kernel does wrong shows after the next call that does.
ROOFLINE_CUDA(cudaError_t, cudaGetLastError, (), ()) {
  const std::lock_guard lock(process().mutex);
  const auto error = process().sticky != cudaSuccess ? process().sticky : last_error();
  last_error() = process().sticky;
  return error;
}

ROOFLINE_CUDA(cudaError_t, cudaPeekAtLastError, (), ()) {
  const std::lock_guard lock(process().mutex);
  return process().sticky != cudaSuccess ? process().sticky : last_error();
}

ROOFLINE_CUDA(const char*, cudaGetErrorName, (cudaError_t error), (error)) { return error_name(error); }
ROOFLINE_CUDA(const char*, cudaGetErrorString, (cudaError_t error), (error)) { return error_text(error); }
