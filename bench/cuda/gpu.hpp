#pragma once
#include <string>
#include <vector>

#include "bench/machine/gpu_facts.hpp"

namespace roofline {

/// The GPUs, or one line that says why there are none and what to do.
struct Gpus {
  std::vector<Gpu> found;
  std::string why_none;
};

/// Asks the CUDA runtime. Never throws; in a build without CUDA there are none.
Gpus find_gpus();

/// The one that this process uses. Throws cuda::Error when there is none; only in builds with CUDA.
Gpu current_gpu();

}  // namespace roofline
