#pragma once
#include "apps/stencil/stencil.hpp"
#include "bench/space/pack.hpp"
#include "bench/space/real.hpp"

/// A row of several planes at once: data loaded for one plane also serve the planes below and above it. 3 + 2 / planes
/// of 7 loads per pack remain, and planes + 2 come from the caches behind L1, instead of 3 for each.
namespace roofline::stencil {

/// The pack of a row that is worked at, and the ones before and behind it.
template <class V>
struct Neighbours {
  V before, here, behind;
};

/// The array as packs of one row in `planes` planes see it. They are in registers, and what lies next to them along the
/// row is shifted together there: a load across the end of a cache line costs L1 as much as two. Places are numbers
/// like those of an array of 3 x 3 x (planes + 2) packs, constant after inlining.
template <class V, Index planes>
struct Around {
  static constexpr Index row = 3, plane = 9;
  static constexpr Index place(Index k) { return 1 + row + (k + 1) * plane; }

  const Neighbours<V>* inside;  ///< of each plane
  const double* first;          ///< what the pack of the first plane begins with
  Index to_row, to_plane;       ///< distances in the array, elements

  template <bool Fma>
  ROOFLINE_BODY Real<V, Fma> operator[](At<V, Fma> at) const {
    const Index along = at.i % row - 1, j = at.i / row % 3 - 1, k = at.i / plane - 1;
    if (j != 0 || k < 0 || k >= planes) return V::load(first + j * to_row + k * to_plane);
    const auto& pack = inside[k];
    if (along < 0) return V::template joined<V::lanes - 1>(pack.before, pack.here);
    if (along > 0) return V::template joined<1>(pack.here, pack.behind);
    return pack.here;
  }
};

/// The whole packs of a row in `planes` planes, of which the first has it in elements `begin` to `end`; returns where
/// they end. The pack behind the last is loaded, too: it reaches into the next row at most, which an interior row has.
///
/// With `prefetches` it asks for what is `ahead` elements further on in the rows that no other point has read.
template <Index planes, bool prefetches, class V, bool Fma, class Output>
ROOFLINE_BODY Index sweep_packs(SevenFlopsTo<Output> body, Index begin, Index end, Index ahead) {
  using Input = Around<V, planes>;
  constexpr Index row = Input::row, plane = Input::plane;
  Neighbours<V> inside[planes];
  ROOFLINE_UNROLL(8)
  for (Index k = 0; k < planes; ++k) {
    const double* const start = body.u.data + begin + k * body.plane;
    inside[k] = {V::broadcast(0.0), V::load(start - V::lanes), V::load(start)};
  }
  Index i = begin;
  ROOFLINE_UNROLL(1)
  for (; i + V::lanes <= end; i += V::lanes) {
    const double* const first = body.u.data + i;
    ROOFLINE_UNROLL(8)
    for (Index k = 0; k < planes; ++k) {
      const double* const here = first + k * body.plane;
      inside[k] = {inside[k].here, inside[k].behind, V::load(here + V::lanes)};
      // In all planes but the uppermost, the row to the north is read before the row above.
      if constexpr (prefetches) __builtin_prefetch(here + body.plane + (k + 1 < planes ? body.row : 0) + ahead);
    }
    const Input u{inside, first, body.row, body.plane};
    ROOFLINE_UNROLL(8)
    for (Index k = 0; k < planes; ++k) {
      const Index place = Input::place(k);
      double* const out = body.v.data + i + k * body.plane;
      SevenFlopsTo<Output, Input>{u, {out - place}, row, plane}(At<V, Fma>{place});
    }
  }
  return i;
}

}  // namespace roofline::stencil
