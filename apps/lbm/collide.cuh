#pragma once
#include <vector>

#include "apps/lbm/cuda.hpp"
#include "apps/lbm/lattice.hpp"
#include "apps/lbm/operations.hpp"
#include "bench/cuda/execute.cuh"

namespace roofline::lbm {

namespace {

/// The tables in constant memory. Their values may change at run time as far as the compiler knows, so it neither folds
/// nor shares operations: at fixed addresses they are operands of instructions.
__constant__ Tables constant_tables = known_tables;

struct ConstantMemory {
  static ROOFLINE_BODY const Tables& tables() {
#if defined(__CUDA_ARCH__)
    return constant_tables;
#else
    return static_tables;
#endif
  }
};

template <class Real>
using FixedConstants = FoldedTables<Real, ConstantMemory>;

}  // namespace

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
/// v4.
CudaVersion shared_memory_version();

/// All versions, v0 to v5, and v3 with populations in registers.
const std::vector<CudaVersion>& cuda_versions();

}  // namespace roofline::lbm
