#pragma once
#include "bench/model/counts.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// One step of ERT's chain: b = b * A + a, or b = A / b + a.
enum class ErtStep { multiply_add, divide };

/// A micro-kernel of the Empirical Roofline Toolkit: F floating-point operations between the load and the store of each
/// element, one after the other.
struct ErtKernel {
  int flops = 2;  ///< F, per element: 1..2047; even for divisions
  bool fma = true;
  ErtStep step = ErtStep::multiply_add;
};

/// Throws std::invalid_argument for an F outside 1..2047 or an odd F with divisions (it leaves the fixed point).
void require_valid(const ErtKernel& kernel);

/// The constants of ERT since June 2019: A = -1 everywhere, b starts at 1, a = 2. b stays 1, so every element is still
/// exactly -1 after any number of operations, in every precision.
struct ErtConstants {
  double initial = -1, start = 1, addend = 2;
};

/// `trials` sweeps over the n elements of `a` on the calling thread. `flops` is the kernel's F.
template <class T>
using ErtFunction = void (*)(T* a, Index n, Index trials, int flops, ErtConstants constants);

/// The compiled form of a kernel for T = double or float: F a compile-time constant for 1, 2, 4, ..., 1024. Throws as
/// require_valid() does.
template <class T>
ErtFunction<T> ert_function(const ErtKernel& kernel);

/// Doubles in the vectors that these functions use: the kernels' vectors (ROOFLINE_ARCH), not the ceilings'.
int ert_lanes();

/// Bytes per element as ERT charges them: one read, one write.
constexpr std::uint64_t ert_bytes(std::uint64_t element_bytes) { return 2 * element_bytes; }

/// ERT's chain (kernel1 of ERT 1.1.0) on `packs` packs of elements, `stride` apart: F FLOPs per element, one load and
/// one store. bit 0 of F: b = A + a; every further two FLOPs: b = b A + a, or b = A / b + a; A = -b.
template <ErtStep step, bool Fma, class V, int packs, class T>
ROOFLINE_BODY void ert_group(T* a, Index stride, int flops, ErtConstants constants) {
  using real = Real<V, Fma>;
  const real addend = constants.addend;
  real x[packs], b[packs];
  ROOFLINE_UNROLL(16)
  for (int p = 0; p < packs; ++p) x[p] = V::load(a + p * stride);
  ROOFLINE_UNROLL(16)
  for (int p = 0; p < packs; ++p) b[p] = flops % 2 == 1 ? x[p] + addend : real(constants.start);
  for (int pair = 0; pair < flops / 2; ++pair) {
    ROOFLINE_UNROLL(16)
    for (int p = 0; p < packs; ++p)
      if constexpr (step == ErtStep::divide)
        b[p] = x[p] / b[p] + addend;
      else
        b[p] = b[p] * x[p] + addend;
  }
  ROOFLINE_UNROLL(16)
  for (int p = 0; p < packs; ++p) V::store(a + p * stride, (-b[p]).value);
}

/// body.operator()<F, step, Fma>() with F, a power of two up to 1024, as a compile-time constant; with 0 for another F.
template <ErtStep step, bool Fma, int F = 1024, class Body>
auto with_ert_flops(int flops, Body body) {
  if constexpr (F == 0) {
    return body.template operator()<0, step, Fma>();
  } else {
    if (flops == F) return body.template operator()<F, step, Fma>();
    return with_ert_flops<step, Fma, F / 2>(flops, body);
  }
}

/// Calls `body` with the parameters of a kernel as template arguments: F as above, always 0 with divisions. Throws
/// std::invalid_argument for an F outside 1..2047 or an odd F with divisions (it leaves the fixed point).
template <class Body>
auto with_ert_kernel(const ErtKernel& kernel, Body body) {
  require_valid(kernel);
  if (kernel.step == ErtStep::divide)
    return kernel.fma ? body.template operator()<0, ErtStep::divide, true>()
                      : body.template operator()<0, ErtStep::divide, false>();
  return kernel.fma ? with_ert_flops<ErtStep::multiply_add, true>(kernel.flops, body)
                    : with_ert_flops<ErtStep::multiply_add, false>(kernel.flops, body);
}

}  // namespace roofline
