// Errors: kept per thread, sticky ones for all.
#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

// Neither call waits, so an error in a kernel shows after the next call that does.
ROOFLINE_CUDA(cudaGetLastError) {
  const std::lock_guard lock(process().mutex);
  const auto error = process().sticky != cudaSuccess ? process().sticky : last_error();
  last_error() = process().sticky;
  return error;
}

ROOFLINE_CUDA(cudaPeekAtLastError) {
  const std::lock_guard lock(process().mutex);
  return process().sticky != cudaSuccess ? process().sticky : last_error();
}

ROOFLINE_CUDA(cudaGetErrorName, error) { return error_name(error); }
ROOFLINE_CUDA(cudaGetErrorString, error) { return error_text(error); }
