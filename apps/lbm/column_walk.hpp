#pragma once
#include "apps/lbm/collide.hpp"
#include "apps/lbm/moments.hpp"
#include "apps/lbm/operations.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/openmp.hpp"

namespace roofline::lbm {

// Each version walks one column of the grid in packs of as many sites along y as a vector register holds. The bodies
// are those of lbm.hpp and moments.hpp; the versions differ in where tables and populations live.

template <class Body, class Space>
void run(Space space, const Collision& c) {
  space.parallel(c.grid.lx, [&c](Index ix) { Body::template column<Space>(c, c.grid.site(ix, 0)); });
}

/// Asks for the populations `first` to `end` one block further on. 37 streams are more than the hardware prefetcher
/// follows.
ROOFLINE_BODY void fetch_ahead(const Collision& c, Index site, Index first = 0, Index end = populations) {
  for (Index p = first; p < end; ++p) __builtin_prefetch(c.in.data + p * c.grid.plane() + site + block);
}

template <class Body>
Version version(const char* name, Operations per_site, const char* about) {
  return {.name = name,
          .fma = Body::fma,
          .streams = Body::streams,
          .per_site = Body::fma ? per_site : without_fma(per_site),
          .launch = [](const Collision& c) { run<Body>(OpenMp<Body::fma>{c.pass}, c); },
          .trace = [](const Collision& c, Sampler& sampler) { run<Body>(Counting<Body::fma>{sampler}, c); },
          .about = about};
}

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
