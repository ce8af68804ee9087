#pragma once
#include "bench/simulator/gpu_kernel.hpp"
#include "bench/simulator/launch_sample.hpp"

namespace roofline {

/// What all blocks of a launch execute: operations, requests and sectors. Where that is much work only parts of it are
/// looked at, which must agree: of compiled kernels at their beginning, in their middle and at their end, of others two
/// periods of a sampled launch. Throws std::logic_error when those two differ.
WarpCounts exact_counts(const GpuKernel& kernel, const Sampling& sampling);

}  // namespace roofline
