#pragma once
#include <functional>
#include <vector>

#include "bench/virtual_gpu/memory/gpu_model.hpp"

namespace roofline {

/// The kernels that `launch` launches through the CUDA runtime, whose device has to be the virtual one. With `execute`
/// they are executed as well, else nothing but copies and fills is done: what no address depends on need not be in the
/// device's memory. Throws std::invalid_argument where nothing was launched or the model does not know what a kernel
/// does. What they work on has to outlive them.
std::vector<GpuKernel> recorded_kernels(const std::function<void()>& launch, bool execute);

/// What the device model says of kernels, one after another, each with an L2 of its own. Sampled where they are large,
/// the less the smaller `effort` is: see affordable().
GpuCounts count_kernels(const GpuModel& model, const std::vector<GpuKernel>& kernels, double effort = 1);

}  // namespace roofline
