#pragma once
#include <cstddef>

namespace roofline::cuda {

/// The hint for cudaFuncAttributePreferredSharedMemoryCarveout, in percent of the most shared memory an SM can have,
/// that leaves L1 all that `bytes` on an SM do not need.
///
/// An SM has a few capacities (CUDA C++ Programming Guide, technical specifications per compute capability) and takes
/// the next one that is not smaller than a hint. `capability`: 70 is 7.0. Returns -1, the driver's choice, for unknown
/// capabilities and if more bytes are wanted than fit.
int carveout_percent(int capability, std::size_t bytes);

/// Sets that hint for a kernel of which an SM holds as many blocks of `threads` as it can, each with `dynamic_bytes` of
/// dynamic shared memory next to its static one and what the system reserves. Left to the driver, the L1 that a kernel
/// has would depend on what it guesses. Throws Error.
void leave_the_rest_to_l1(const void* kernel, int threads, std::size_t dynamic_bytes);

}  // namespace roofline::cuda
