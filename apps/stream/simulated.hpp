#pragma once
#include <string>

#include "bench/simulator/gpu_kernel.hpp"

/// STREAM's kernels in BabelStream's CUDA mapping, for the device model.
namespace roofline::stream {

/// `name` is copy, scale, add, triad or dot; n elements, one per thread in blocks of 1024, any n. The sums of dot are
/// left in registers: its reduction is outside the FLOP account. Throws std::invalid_argument on another name or n < 1.
GpuKernel gpu_kernel(const std::string& name, Index n);

}  // namespace roofline::stream
