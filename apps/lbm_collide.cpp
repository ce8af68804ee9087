#include "apps/lbm_collide.hpp"

#include "apps/lbm_moments.hpp"
#include "bench/space/counting.hpp"
#include "bench/space/openmp.hpp"

namespace roofline::lbm {
namespace {

/// Whole packs of sites, one after the other; `Site` is the arithmetic of one of them.
template <template <class> class Tables, bool Fma>
struct OnePass {
  static constexpr bool fma = Fma;
  template <class Space>
  static ROOFLINE_BODY void column(const Collision& c, Index column) {
    using At = typename Space::At;
    using real = typename At::real;
    const Tables<real> lattice(c.parameters);
    const Index plane = c.grid.plane();
    for (Index iy = 0; iy < c.grid.ly; iy += Space::Lane::lanes) {
      const At at{column + iy};
      real f[populations], q[components];
      Moments<real> moments;
      take_in(lattice, [&](auto p) ROOFLINE_INLINED { return c.in[at + p * plane]; }, f, moments);
      find_moments(lattice, f, moments);
      relax(lattice, f, moments, c.fluid, c.bulk[At{iy}]);
      project(lattice, f, q);
      give_out(lattice, q, [&](auto p, real x) ROOFLINE_INLINED { c.out.set(at + p * plane, x); });
    }
  }
};

// One function per loop, so that each has the 32 vector registers to itself; populations and moments wait in L1.

template <class At, class real>
[[gnu::noinline]] void loop1(const Collision& c, At at, real* f, Moments<real>& moments) {
  const Index plane = c.grid.plane();
  take_in(FoldedTables<real>(c.parameters), [&](auto p) ROOFLINE_INLINED { return c.in[at + p * plane]; }, f, moments);
}
template <class real>
[[gnu::noinline]] void loop2(const Collision& c, const real* f, Moments<real>& moments) {
  find_moments(FoldedTables<real>(c.parameters), f, moments);
}
template <class At, class real>
[[gnu::noinline]] void loop3(const Collision& c, At row, real* f, const Moments<real>& moments) {
  relax(FoldedTables<real>(c.parameters), f, moments, c.fluid, c.bulk[row]);
}
template <class real>
[[gnu::noinline]] void loop4(const Collision& c, const real* f, real* q) {
  project(FoldedTables<real>(c.parameters), f, q);
}
template <bool streaming, class At, class real>
[[gnu::noinline]] void loop5(const Collision& c, At at, const real* q) {
  const Index plane = c.grid.plane();
  give_out(FoldedTables<real>(c.parameters), q, [&](auto p, real x) ROOFLINE_INLINED {
    if constexpr (streaming)
      c.out.set_streaming(at + p * plane, x);
    else
      c.out.set(at + p * plane, x);
  });
}

struct Functions {
  static constexpr bool fma = true;
  template <class Space>
  static ROOFLINE_BODY void column(const Collision& c, Index column) {
    using At = typename Space::At;
    using real = typename At::real;
    for (Index iy = 0; iy < c.grid.ly; iy += Space::Lane::lanes) {
      const At at{column + iy};
      real f[populations], q[components];
      Moments<real> moments;
      loop1(c, at, f, moments);
      loop2(c, f, moments);
      loop3(c, At{iy}, f, moments);
      loop4(c, f, q);
      loop5<false>(c, at, q);
    }
  }
};

struct LocalBlock {
  static constexpr bool fma = true;
  template <class Space>
  static ROOFLINE_BODY void column(const Collision& c, Index column) {
    using At = typename Space::At;
    using real = typename At::real;
    constexpr Index lanes = Space::Lane::lanes, packs = block / lanes;
    const Index plane = c.grid.plane();
    real f[packs][populations], q[packs][components];
    Moments<real> moments[packs];
    for (Index iy = 0; iy < c.grid.ly; iy += block) {
      for (Index k = 0; k < packs; ++k) {
        for (Index p = 0; p < populations; ++p)
          __builtin_prefetch(c.in.data + p * plane + column + iy + block + k * lanes);
        loop1(c, At{column + iy + k * lanes}, f[k], moments[k]);
      }
      for (Index k = 0; k < packs; ++k) loop2(c, f[k], moments[k]);
      for (Index k = 0; k < packs; ++k) loop3(c, At{iy + k * lanes}, f[k], moments[k]);
      for (Index k = 0; k < packs; ++k) loop4(c, f[k], q[k]);
      for (Index k = 0; k < packs; ++k) loop5<true>(c, At{column + iy + k * lanes}, q[k]);
    }
  }
};

struct MomentSpace {
  static constexpr bool fma = true;
  template <class Space>
  static ROOFLINE_BODY void column(const Collision& c, Index column) {
    using At = typename Space::At;
    using real = typename At::real;
    const Index plane = c.grid.plane();
    for (Index iy = 0; iy < c.grid.ly; iy += Space::Lane::lanes) {
      const At at{column + iy};
      for (Index p = 0; p < populations; ++p) __builtin_prefetch(c.in.data + p * plane + column + iy + block);
      real moments[components];
      analyse(([&](int p) ROOFLINE_INLINED -> real { return c.in[at + p * plane]; }), moments);
      relax_moments<real>(moments, c.fluid, c.bulk[At{iy}]);
      synthesise(moments, [&](int p, real x) ROOFLINE_INLINED { c.out.set_streaming(at + p * plane, x); });
    }
  }
};

template <class Body, class Space>
void run(Space space, const Collision& c) {
  space.parallel(c.grid.lx, [&c](Index ix) { Body::template column<Space>(c, c.grid.site(ix, 0)); });
}

template <class Body>
Version version(const char* name, Operations per_site, const char* about) {
  return {.name = name,
          .fma = Body::fma,
          .launch = [](const Collision& c) { run<Body>(OpenMp<Body::fma>{}, c); },
          .trace = [](const Collision& c, Sampler& sampler) { run<Body>(Counting<Body::fma>{sampler}, c); },
          .per_site = per_site,
          .about = about};
}

}  // namespace

const std::vector<Version>& versions() {
  static const std::vector<Version> all{
      version<OnePass<PointerTables, true>>("v0", {}, ""),
      version<OnePass<StaticTables, true>>("v1", {}, ""),
      version<OnePass<FoldedTables, true>>("v2", {}, ""),
      version<Functions>("v3", {}, ""),
      version<LocalBlock>("v4", {}, ""),
      version<MomentSpace>("v5", {}, ""),
  };
  return all;
}

}  // namespace roofline::lbm
