#pragma once
#include "bench/virtual_gpu/execute/memory.hpp"
#include "bench/virtual_gpu/memory/gpu_kernel.hpp"
#include "bench/virtual_gpu/runtime/recording.hpp"

namespace roofline {

/// A launch of compiled code for the device model: its accesses are those that the virtual GPU executes, its registers,
/// shared and local memory those of the compiled kernel. `memory` outlives it; what addresses depend on has to be in
/// there. Throws std::invalid_argument when the kernel does what the model does not know (asynchronous copies, calls).
GpuKernel executed_kernel(const runtime::RecordedLaunch& launch, ptx::GlobalMemory& memory);

}  // namespace roofline
