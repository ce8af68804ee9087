#pragma once
#include "bench/space/pack.hpp"
#include "microkernels/ert.hpp"

namespace roofline {

/// Elements are independent, the steps of one are not: this many packs hide the latency of a step. Their b stay in
/// registers, of which there are 32 with AVX-512 and 16 before.
inline constexpr int ert_packs = native_lanes == 8 ? 16 : 12;

/// ERT's chain (kernel1 of ERT 1.1.0) on `packs` packs of elements: F FLOPs per element, one load and one store.
/// bit 0 of F: b = A + a; every further two FLOPs: b = b A + a, or b = A / b + a; A = -b.
template <ErtStep step, bool Fma, class V, int packs, class T>
ROOFLINE_BODY void ert_group(T* a, int flops, ErtConstants constants) {
  using real = Real<V, Fma>;
  const real addend = constants.addend;
  real x[packs], b[packs];
#pragma GCC unroll 16
  for (int p = 0; p < packs; ++p) x[p] = V::load(a + p * V::lanes);
#pragma GCC unroll 16
  for (int p = 0; p < packs; ++p) b[p] = flops % 2 == 1 ? x[p] + addend : real(constants.start);
  for (int pair = 0; pair < flops / 2; ++pair) {
#pragma GCC unroll 16
    for (int p = 0; p < packs; ++p)
      if constexpr (step == ErtStep::divide)
        b[p] = x[p] / b[p] + addend;
      else
        b[p] = b[p] * x[p] + addend;
  }
#pragma GCC unroll 16
  for (int p = 0; p < packs; ++p) V::store(a + p * V::lanes, (-b[p]).value);
}

/// Trials over n elements, in groups of packs, then packs, then single elements. F = 0: the number is `flops`. Not
/// specialised for the constants of its callers, or the compiler would compute the fixed point itself.
template <int F, ErtStep step, bool Fma, class V, class Single, class T>
[[gnu::noipa]] void ert_trials(T* a, Index n, Index trials, int run_time_flops, ErtConstants constants) {
  const int flops = F > 0 ? F : run_time_flops;
  constexpr Index group = ert_packs * V::lanes;
  for (Index trial = 0; trial < trials; ++trial) {
    Index i = 0;
    for (; i + group <= n; i += group) ert_group<step, Fma, V, ert_packs>(a + i, flops, constants);
    for (; i + V::lanes <= n; i += V::lanes) ert_group<step, Fma, V, 1>(a + i, flops, constants);
    for (; i < n; ++i) ert_group<step, Fma, Single, 1>(a + i, flops, constants);
  }
}

}  // namespace roofline
