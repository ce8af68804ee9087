#pragma once
#include "apps/lbm/column_walk.hpp"
#include "apps/lbm/moments.hpp"

namespace roofline::lbm {

/// v5: the collision in moment space. Results leave past the caches.
template <bool Fma>
struct MomentSpace {
  static constexpr bool fma = Fma, streams = true;
  template <class Space>
  static ROOFLINE_BODY void column(const Collision& c, Index column) {
    using At = typename Space::At;
    using real = typename At::real;
    const Index plane = c.grid.plane();
    for (Index iy = 0; iy < c.grid.ly; iy += Space::Lane::lanes) {
      const At at{column + iy};
      fetch_ahead(c, at.i);
      real moments[components];
      analyse(([&](int p) ROOFLINE_INLINED -> real { return c.in[at + p * plane]; }), moments);
      relax_moments<real>(moments, c.fluid, c.bulk[At{iy}]);
      synthesise(moments, [&](int p, real x) ROOFLINE_INLINED { c.out.set_streaming(at + p * plane, x); });
    }
  }
};

}  // namespace roofline::lbm
