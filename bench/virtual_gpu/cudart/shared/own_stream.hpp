#pragma once
#include <cuda_runtime_api.h>

namespace roofline::runtime {

/// With per-thread default streams, stream 0 is the calling thread's own.
inline cudaStream_t own(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

/// What a synchronous call does after its asynchronous form.
inline cudaError_t waited(cudaError_t error) {
  return error == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : error;
}

}  // namespace roofline::runtime
