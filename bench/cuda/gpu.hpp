#pragma once
#include <string>
#include <vector>

#include "bench/machine/gpu_facts.hpp"

namespace roofline {

/// The GPUs, or in words why there are none, and what whoever asked for one can do.
struct Gpus {
  std::vector<Gpu> found;
  std::string why_none, what_to_do;
};

/// Asks the CUDA runtime. Never throws; in a build without CUDA there are none.
Gpus find_gpus();

/// The one that this process uses. Throws cuda::Error when there is none; only in builds with CUDA.
Gpu current_gpu();

}  // namespace roofline
