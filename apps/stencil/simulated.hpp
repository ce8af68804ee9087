#pragma once
#include "bench/simulator/gpu_kernel.hpp"

/// The 7-point stencil in a plain CUDA mapping, for the device model.
namespace roofline::stencil {

/// A cube of edge n, boundary included; blocks of 32 x 4 threads, one interior point each, x fastest. `flops` is 7 or
/// 8, the published form. Throws std::invalid_argument on other flops or n < 3.
GpuKernel gpu_kernel(Index n, int flops);

}  // namespace roofline::stencil
