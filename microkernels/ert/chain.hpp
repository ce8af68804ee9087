#pragma once
#include "bench/space/unroll.hpp"
#include "microkernels/ert/ert.hpp"

namespace roofline {

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

}  // namespace roofline
