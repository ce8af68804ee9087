#pragma once
#include "bench/space/pack.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// Space that runs a kernel on the CPU's cores and vector units.
///
/// A traversal is written once for all CPU spaces with two verbs: `parallel(n, slab)` shares slabs out to threads
/// (static schedule, the one that Buffer's first touch uses), `lanes(begin, end, body)` walks consecutive elements in
/// packs of vector width and finishes one by one.
template <bool Fma>
class OpenMp {
 public:
  static constexpr bool fma = Fma;
  using Lane = Pack<native_lanes>;
  using At = roofline::At<Lane, Fma>;

  /// `period` is for the counting space: after how many slabs the work repeats.
  template <class Slab>
  void parallel(Index n, Slab slab, [[maybe_unused]] Index period = 1) const {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) slab(i);
  }

  template <class Body>
  ROOFLINE_BODY void lanes(Index begin, Index end, Body body) const {
    Index i = begin;
    for (; i + Lane::lanes <= end; i += Lane::lanes) body(At{i});
    for (; i < end; ++i) body(roofline::At<Pack<1>, Fma>{i});
  }
};

}  // namespace roofline
