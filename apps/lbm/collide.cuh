#pragma once
#include <vector>

#include "apps/lbm/constant_memory.cuh"
#include "apps/lbm/cuda.hpp"
#include "apps/lbm/operations.hpp"
#include "bench/cuda/execute.cuh"

namespace roofline::lbm {

/// A version of collide as the GTC 2020 talk made it.
struct CudaVersion {
  const char* name;
  bool fma;
  Operations per_site;
  void (*launch)(const Collision&);
  const char* about;
};

template <class Kernel>
CudaVersion version(const char* name, bool fma, Operations per_site, const char* about) {
  return {name, fma, fma ? per_site : without_fma(per_site),
          [](const Collision& c) { cuda::execute(thread_per_site(c.grid, Kernel{c})); }, about};
}

/// v0 to v3: the populations of a site in local memory.
std::vector<CudaVersion> local_memory_versions();

/// All versions, v0 to v5, and v3 with populations in registers.
const std::vector<CudaVersion>& cuda_versions();

}  // namespace roofline::lbm
