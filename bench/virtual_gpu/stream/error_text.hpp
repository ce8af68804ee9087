#pragma once
#include <cuda_runtime_api.h>

namespace roofline::runtime {

/// "cudaErrorInvalidValue"; "unrecognized error code" for what is none, as the CUDA runtime says.
const char* error_name(cudaError_t error);
/// What programs print and tests compare: the text of the CUDA runtime.
const char* error_text(cudaError_t error);

}  // namespace roofline::runtime
