#include "apps/lbm/collide.hpp"

#include "apps/lbm/column_walk.hpp"
#include "apps/lbm/operations.hpp"

namespace roofline::lbm {
namespace {

// The five loops as functions, so that each has the vector registers to itself; populations and moments wait in L1.

template <class At, class real>
[[gnu::noinline]] void loop1(const Collision& c, At at, real* f, Moments<real>& moments) {
  const Index plane = c.grid.plane();
  take_in(
      FoldedTables<real>(c.parameters), [&](auto p) ROOFLINE_INLINED { return c.in[at + p * plane]; }, f, moments);
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

/// v3: one function per loop.
struct FunctionPerLoop {
  static constexpr bool fma = true, streams = false;
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

/// v4: the populations of a block of sites in a local array of 37 x 32 doubles, each loop over the whole block. The
/// next block is fetched into L1 meanwhile, and results leave past the caches.
struct LocalBlock {
  static constexpr bool fma = true, streams = true;
  template <class Space>
  static ROOFLINE_BODY void column(const Collision& c, Index column) {
    using At = typename Space::At;
    using real = typename At::real;
    constexpr Index lanes = Space::Lane::lanes, packs = block / lanes;
    static_assert(block % lanes == 0);
    real f[packs][populations], q[packs][components];
    Moments<real> moments[packs];
    for (Index iy = 0; iy < c.grid.ly; iy += block) {
      for (Index k = 0; k < packs; ++k) loop1(c, At{column + iy + k * lanes}, f[k], moments[k]);
      for (Index k = 0; k < packs; ++k) {
        fetch_ahead(c, column + iy + k * lanes, 0, 9);
        loop2(c, f[k], moments[k]);
      }
      for (Index k = 0; k < packs; ++k) {
        fetch_ahead(c, column + iy + k * lanes, 9, 28);
        loop3(c, At{iy + k * lanes}, f[k], moments[k]);
      }
      for (Index k = 0; k < packs; ++k) {
        fetch_ahead(c, column + iy + k * lanes, 28, populations);
        loop4(c, f[k], q[k]);
      }
      for (Index k = 0; k < packs; ++k) loop5<true>(c, At{column + iy + k * lanes}, q[k]);
    }
  }
};

constexpr const char* about_v3 =
    R"(As v2, each of the five loops in a function of its own, so that its moments fit into the 32
registers and its code into the instruction caches. Stands for launch bounds (256, 1): more
registers for each site, less concurrency.
GTC 2020, V100: 25.2 ms with 254 registers instead of 80; extra writes remain.
Look at: bytes of DRAM are still 888 per site, the write-allocate is a third of them.)";
constexpr const char* about_v4 =
    R"(As v3, with an explicit local block: the populations of 32 sites (37 x 32 doubles, 9.5 KB) in L1,
the next block fetched ahead, results written past the caches: 592 B per site, one read and one
write of each population.
GTC 2020, V100 (dynamic shared memory): 24.3 ms, minimum traffic, 51 % of the FP64 peak, bound by
latency.
Look at: the intensity is 10.9 in the published account (6472 FLOP / 592 B) and 8.6 for the 5117
executed; the point is next to its mix-adjusted compute ceiling, far right of the ridge.)";
constexpr const char* about_v5 =
    R"(The same collision to rounding, with the algebra done first: 15 moments from sums and differences of
mirrored populations, relaxation of moments, and back: 756 FLOP and 592 B per site.
Look at: an eighth of the FLOPs, intensity 1.3: the point has moved under the DRAM roof. GFLOP/s
falls to a third of v4's and the time to less than half: FLOP/s is not speed.)";

}  // namespace

const std::vector<Version>& versions() {
  static const std::vector<Version> all = [] {
    constexpr Operations folded = five_loops(true);
    auto list = one_pass_versions();
    list.push_back(version<FunctionPerLoop>("v3", folded, about_v3));
    list.push_back(version<LocalBlock>("v4", folded, about_v4));
    list.push_back(version<MomentSpace<true>>("v5", moment_space(), about_v5));
    return list;
  }();
  return all;
}

}  // namespace roofline::lbm
