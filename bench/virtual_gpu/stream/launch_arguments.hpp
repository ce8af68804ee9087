#pragma once
#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {

/// Fills in the function and a copy of the arguments, and checks that the launch can be started. `arguments` points to
/// one value for each parameter of the kernel.
cudaError_t prepare(Process& process, const void* function, void** arguments, KernelWork& work);

}  // namespace roofline::runtime
