#pragma once
#include "bench/space/pack.hpp"
#include "microkernels/ert/ert.hpp"

namespace roofline {

/// Elements are independent, the steps of one are not: this many packs hide the latency of a step. Their b stay in
/// registers, of which there are 32 with AVX-512 and 16 before.
inline constexpr int ert_packs = native_lanes == 8 ? 16 : 12;

/// Trials over n elements, in groups of packs, then packs, then single elements. F = 0: the number is `flops`. Not
/// specialised for the constants of its callers, or the compiler would compute the fixed point itself.
template <int F, ErtStep step, bool Fma, class V, class Single, class T>
[[gnu::noipa]] void ert_trials(T* a, Index n, Index trials, int run_time_flops, ErtConstants constants) {
  const int flops = F > 0 ? F : run_time_flops;
  constexpr Index lanes = V::lanes, group = ert_packs * lanes;
  for (Index trial = 0; trial < trials; ++trial) {
    Index i = 0;
    for (; i + group <= n; i += group) ert_group<step, Fma, V, ert_packs>(a + i, lanes, flops, constants);
    for (; i + lanes <= n; i += lanes) ert_group<step, Fma, V, 1>(a + i, lanes, flops, constants);
    for (; i < n; ++i) ert_group<step, Fma, Single, 1>(a + i, 1, flops, constants);
  }
}

}  // namespace roofline
