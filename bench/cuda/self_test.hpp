#pragma once
#include <functional>
#include <vector>

#include "bench/counters/self_test.hpp"
#include "bench/cuda/gpu.hpp"

namespace roofline {

/// A kernel of known FLOPs and bytes on the current device.
struct SelfTestKernel {
  KnownKernel known;
  std::function<void()> prepare;  ///< L2 as a copy leaves it, of lines that nobody reads; waits
  std::function<void()> launch;   ///< waits
};

/// The known-answer kernels, sized for this device: a copy much larger than L2, chains of additions, multiplications
/// and FMAs in FP64 and FP32, a read that uses 8 B of each sector, integer work without a FLOP, packed FP16 (which only
/// informs: whether one counts as one or as two is not documented). Throws std::runtime_error when the device has no
/// memory for them.
std::vector<SelfTestKernel> self_test_kernels(const Gpu& gpu);

}  // namespace roofline
