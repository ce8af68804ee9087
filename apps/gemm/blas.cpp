#include "apps/gemm/blas.hpp"

#include <dlfcn.h>

namespace roofline::gemm {

std::span<const char* const> blas_names() {
  // libblas.so.3 is the one that Debian's alternatives choose.
  static constexpr const char* names[] = {"libmkl_rt.so.2", "libopenblas.so.0", "libblis.so.4", "libarmpl_lp64_mp.so",
                                          "libblas.so.3"};
  return names;
}

Blas find_blas(std::span<const char* const> names) {
  using Multiply = void (*)(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                            const int*, const double*, const int*, const double*, double*, const int*);
  for (const auto* const name : names) {
    void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    auto* const dgemm = library ? reinterpret_cast<Multiply>(::dlsym(library, "dgemm_")) : nullptr;
    if (!dgemm) continue;
    // Fortran stores by columns, so it sees the transposed matrices: C^T = B^T A^T.
    return {name, [dgemm](Index n, const double* a, const double* b, double* c, Index pitch) {
              const int size = static_cast<int>(n), distance = static_cast<int>(pitch);
              const double one = 1, zero = 0;
              dgemm("N", "N", &size, &size, &size, &one, b, &distance, a, &distance, &zero, c, &distance);
            }};
  }
  return {};
}

}  // namespace roofline::gemm
