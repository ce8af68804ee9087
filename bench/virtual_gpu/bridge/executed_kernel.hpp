#pragma once
#include "bench/virtual_gpu/execute/memory.hpp"
#include "bench/virtual_gpu/memory/gpu_kernel.hpp"
#include "bench/virtual_gpu/runtime/recording.hpp"

namespace roofline {

/// A launch of compiled code for the device model. Its accesses are the ones that the virtual GPU executes; its
/// registers, shared and local memory are those of the compiled kernel. `memory` must outlive it and must contain
/// everything that addresses depend on. Throws std::invalid_argument when the kernel uses a feature that the model does
/// not know (asynchronous copies, calls).
GpuKernel executed_kernel(const runtime::RecordedLaunch& launch, ptx::GlobalMemory& memory);

}  // namespace roofline
