#include <algorithm>
#include <vector>

#include "apps/lbm/collide.hpp"
#include "apps/lbm/column_walk.hpp"
#include "apps/lbm/moments.hpp"
#include "bench/space/prefetch.hpp"

namespace roofline::lbm {
namespace {

// v5 takes a pack of sites from its populations to its results. In between stand four divisions that wait for one
// another, and the some 700 instructions of a pack are more than a core looks ahead: while relaxation waits, nothing
// else is done. Here each stage goes over a block of packs, which do not wait for one another, and moments stay in L1.
// The populations of the next block are asked for while this one is computed: 37 streams are more than prefetchers
// follow.

template <class At, class real>
[[gnu::noinline]] void analyse_pack(const Collision& c, At at, real* moments) {
  const Index plane = c.grid.plane();
  analyse(([&](int p) ROOFLINE_INLINED -> real { return c.in[at + p * plane]; }), moments);
}

template <class At, class real>
[[gnu::noinline]] void relax_pack(const Collision& c, At row, real* moments) {
  relax_moments<real>(moments, c.fluid, c.bulk[row]);
}

template <bool streaming, class At, class real>
[[gnu::noinline]] void synthesise_pack(const Collision& c, At at, const real* moments) {
  const Index plane = c.grid.plane();
  synthesise(moments, [&](int p, real x) ROOFLINE_INLINED {
    if constexpr (streaming)
      c.out.set_streaming(at + p * plane, x);
    else
      c.out.set(at + p * plane, x);
  });
}

/// Asks for populations `first` to `end` of the pack that begins at `site`.
ROOFLINE_BODY void ask_for(const Collision& c, Index site, Index first, Index end) {
  for (Index p = first; p < end; ++p) prefetch_line<Prefetch::into_l2>(c.in.data + p * c.grid.plane() + site);
}

/// v5 in stages.
template <bool streaming>
struct StagedMoments {
  static constexpr bool fma = true, streams = streaming;
  template <class Space>
  static ROOFLINE_BODY void column(const Collision& c, Index column) {
    using At = typename Space::At;
    using real = typename At::real;
    constexpr Index lanes = Space::Lane::lanes, half = populations / 2;
    real moments[most_packs][components];
    const Index sites = c.packs * lanes;
    for (Index iy = 0; iy < c.grid.ly; iy += sites) {
      const Index packs = std::min(c.packs, (c.grid.ly - iy) / lanes);
      for (Index k = 0; k < packs; ++k) analyse_pack(c, At{column + iy + k * lanes}, moments[k]);
      for (Index k = 0; k < packs; ++k) {
        ask_for(c, column + iy + k * lanes + sites, 0, half);
        relax_pack(c, At{iy + k * lanes}, moments[k]);
      }
      for (Index k = 0; k < packs; ++k) {
        ask_for(c, column + iy + k * lanes + sites, half, populations);
        synthesise_pack<streaming>(c, At{column + iy + k * lanes}, moments[k]);
      }
    }
  }
};

}  // namespace

std::vector<StagedTuning> staged_tunings() {
  std::vector<StagedTuning> all;
  for (const Index packs : {Index{4}, Index{8}, most_packs})
    all.push_back({version<StagedMoments<true>>("in stages", moment_space(), ""), packs});
  all.push_back({version<StagedMoments<false>>("in stages, plain stores", moment_space(), ""), most_packs});
  return all;
}

}  // namespace roofline::lbm
