#pragma once
#include <cuda_runtime_api.h>

namespace roofline::runtime::test {

// Kernels of kernels.cu by the addresses of their host stubs, as cudaLaunchKernel takes them.
const void* scale_kernel();    ///< (float* values, float factor, int n): one thread per element
const void* append_kernel();   ///< (int* log, int* length, int value), one thread: writes down in which order it ran
const void* fault_kernel();    ///< (): writes to address 16
const void* shared_kernel();   ///< (float* out): 40,000 B of static shared memory
const void* dynamic_kernel();  ///< (int* out): dynamic shared memory
const void* bounded_kernel();  ///< (int*): at most 64 threads per block
const void* table_symbol();    ///< __device__ int table[4] = {1, 2, 3, 4}
const void* factor_symbol();   ///< __constant__ double factor
int* managed_values();         ///< __managed__ int values[2] = {5, 6}

/// Launches scale_kernel with <<<>>>.
void scale(float* values, float factor, int n, cudaStream_t stream = nullptr);

}  // namespace roofline::runtime::test
