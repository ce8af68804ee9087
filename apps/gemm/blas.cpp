#include "apps/gemm/blas.hpp"

#include <dlfcn.h>

namespace roofline::gemm {
namespace {

using Dgemm = void (*)(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                       const int*, const double*, const int*, const double*, double*, const int*);

Dgemm dgemm_of(void* library) { return reinterpret_cast<Dgemm>(::dlsym(library, "dgemm_")); }

}  // namespace

std::span<const char* const> blas_names() {
  // libblas.so.3 is the one that Debian's alternatives choose.
  static constexpr const char* names[] = {"libmkl_rt.so.2", "libopenblas.so.0", "libblis.so.4", "libarmpl_lp64_mp.so",
                                          "libblas.so.3"};
  return names;
}

Blas find_blas(std::span<const char* const> names) {
  for (const auto* const name : names) {
    void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const bool has_dgemm = library && dgemm_of(library);
    // OpenBLAS reserves memory for as long as it is loaded, which runs without its row must not pay for.
    if (library) ::dlclose(library);
    if (!has_dgemm) continue;
    // Fortran stores by columns, so it sees the transposed matrices: C^T = B^T A^T.
    return {name, [name, dgemm = Dgemm{}](Index n, const double* a, const double* b, double* c, Index pitch) mutable {
              if (!dgemm) dgemm = dgemm_of(::dlopen(name, RTLD_NOW | RTLD_LOCAL));
              const int size = static_cast<int>(n), distance = static_cast<int>(pitch);
              const double one = 1, zero = 0;
              dgemm("N", "N", &size, &size, &size, &one, b, &distance, a, &distance, &zero, c, &distance);
            }};
  }
  return {};
}

}  // namespace roofline::gemm
