// The suite's kernels without the suite, as plain loops over plain doubles, and what the cache model says of the same
// sweep: for tests/validation/cachegrind.sh and tests/any_program/known_answers_test.cpp.
//
//   cachegrind_kernels KERNEL N SWEEPS          runs natively; the last sweep is a region
//   cachegrind_kernels KERNEL N model L1 LL     of one sweep, sizes as bytes/ways: accesses, misses of both caches,
//   FLOPs,
//                                               bytes of L1, L2 and DRAM
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "apps/gpp/gpp.hpp"
#include "apps/gsrb/gsrb.hpp"
#include "apps/lbm/lattice.hpp"
#include "apps/lbm/moments.hpp"
#include "apps/stencil/stencil.hpp"
#include "apps/stream/stream.hpp"
#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/cache_model/counting.hpp"
#include "bench/space/pack.hpp"

extern "C" {
int likwid_markerStartRegion(const char*) __attribute__((weak));  // of whoever counts
int likwid_markerStopRegion(const char*) __attribute__((weak));
}

namespace roofline {
namespace {

/// Large pages apart, so that the place of an array in a cache set is the same for the program and for the model.
/// `shift` is in elements.
View array(Index n, Index shift = 0) {
  constexpr std::size_t alignment = std::size_t{64} << 20;
  const auto bytes = (static_cast<std::size_t>(n + shift) * sizeof(double) + alignment - 1) / alignment * alignment;
  auto* const data = static_cast<double*>(std::aligned_alloc(alignment, bytes));
  if (!data) std::abort();
  for (Index i = 0; i < n + shift; ++i) data[i] = 1.0;
  return {data + shift};
}

template <class Place, class Body>
inline __attribute__((always_inline)) void run(Index begin, Index end, const Body body) {
  for (Index i = begin; i < end; ++i) body(Place{i});
}

template <class Place>
__attribute__((noinline)) void sweep_triad(const stream::Triad& body, Index n) {
  run<Place>(0, n, body);
}
template <class Place>
__attribute__((noinline)) void sweep_stencil(const stencil::SevenFlops& body, Index n) {
  for (Index k = 1; k < n - 1; ++k)
    for (Index j = 1; j < n - 1; ++j) run<Place>((k * n + j) * n + 1, (k * n + j) * n + n - 1, body);
}

/// The sum over igp and ig of one band. n: length of a row; rows are 16.
struct Gpp {
  static constexpr int nw = 2;
  static constexpr Index rows = 16;
  Index n;
  View aqsn = array(2 * n), eps = array(2 * n * rows, 72), wtilde = array(2 * n * rows, 144), sums = array(2 * nw);

  template <class Place>
  __attribute__((noinline)) void sweep() const {
    gpp::Sums<nw, typename Place::real> sum{};
    for (Index p = 0; p < rows; ++p) {
      const auto row = [&](View of) { return ComplexView<false>{of.data + 2 * n * p}; };
      const gpp::Row<nw, true, ComplexView<false>> body{{aqsn.data}, row(eps), row(wtilde), {0.3, 0.2}, 0.5, {3, 4}};
      for (Index ig = 0; ig < n; ++ig) body(Place{ig}, sum);
    }
    for (int iw = 0; iw < nw; ++iw) sums.set(Place{2 * iw}, sum[iw].re), sums.set(Place{2 * iw + 1}, sum[iw].im);
  }
};

/// One box of n^3 cells and one layer of ghosts.
template <class Method>
struct Gsrb {
  Index n, row = n + 2, plane = row * row, all = plane * row;
  View x = array(all), rhs = array(all, 72), beta_i = array(all, 144), beta_j = array(all, 216),
       beta_k = array(all, 288), dinv = array(all, 360), out = array(all, 432), mask = array(all, 504);

  template <class Place>
  __attribute__((noinline)) void sweep() const {
    for (Index k = 1; k <= n; ++k)
      for (Index j = 1; j <= n; ++j) {
        const Index first = k * plane + j * row + 1;
        const auto at = [&](View of) { return View{of.data + first}; };
        const gsrb::Cells<View> cells{at(x),   at(rhs),  at(beta_i), at(beta_j), at(beta_k),  at(dinv),
                                      at(out), at(mask), row,        plane,      (j + k) % 2, -0.5};
        for (Index i = 0; i < n; ++i) Method::template update<gsrb::SevenPoint>(cells, Place{i});
      }
  }
};

/// The collision in moment space on n columns of 64 sites.
struct Lbm {
  Index n;
  lbm::Grid grid{n, 64};
  View in = array(lbm::populations * grid.plane()), out = array(lbm::populations * grid.plane(), 32),
       bulk = array(grid.ly, 16);

  template <class Place>
  __attribute__((noinline)) void sweep() const {
    using real = typename Place::real;
    const Index plane = grid.plane();
    const lbm::Fluid fluid;
    for (Index ix = 0; ix < grid.lx; ++ix)
      for (Index iy = 0; iy < grid.ly; ++iy) {
        const Place at{grid.site(ix, iy)};
        real moments[lbm::components];
        lbm::analyse([&](int p) ROOFLINE_INLINED -> real { return in[at + p * plane]; }, moments);
        lbm::relax_moments<real>(moments, fluid, bulk[Place{iy}]);
        lbm::synthesise(moments, [&](int p, real to) ROOFLINE_INLINED { out.set(at + p * plane, to); });
      }
  }
};

CacheLevel cache(MemoryLevel level, const char* text) {
  char* end = nullptr;
  const auto size = std::strtoull(text, &end, 10);
  return {.level = level, .size = size, .ways = static_cast<unsigned>(std::strtoul(end + 1, nullptr, 10))};
}

template <class Sweep>
int main_of(int argc, char** argv, Sweep sweep) {
  using Native = At<Pack<1>, true>;
  using Modelled = At<Counted, true>;
  if (std::strcmp(argv[3], "model") != 0) {
    for (int left = std::atoi(argv[3]); left > 0; --left) {
      if (left == 1 && likwid_markerStartRegion) likwid_markerStartRegion("sweep");
      sweep(Native{});
      if (left == 1 && likwid_markerStopRegion) likwid_markerStopRegion("sweep");
    }
    return 0;
  }
  if (argc != 6) return 2;
  CacheHierarchy caches({cache(MemoryLevel::L1, argv[4]), cache(MemoryLevel::L2, argv[5])});
  Recording recording;
  recording.caches = &caches;
  active_recording = &recording;
  sweep(Modelled{});  // the second sweep counts, as the difference of two native runs does
  recording.operations = {}, recording.loads = recording.stores = 0;
  caches.reset_traffic();
  sweep(Modelled{});
  const auto bytes = [&](MemoryLevel level) { return caches.traffic(level); };
  fmt::print("{} {} {} {} {} {} {}\n", recording.loads + recording.stores, bytes(MemoryLevel::L2).read / 64,
             bytes(MemoryLevel::DRAM).read / 64, recording.operations.flops(), bytes(MemoryLevel::L1).total(),
             bytes(MemoryLevel::L2).total(), bytes(MemoryLevel::DRAM).total());
  return 0;
}

}  // namespace
}  // namespace roofline

int main(int argc, char** argv) {
  using namespace roofline;
  if (argc < 4) return 2;
  const Index n = std::atoll(argv[2]);
  const std::string kernel = argv[1];
  const auto of = [&](auto body) {
    return main_of(argc, argv, [&](auto place) { body.template sweep<decltype(place)>(); });
  };
  if (kernel == "gpp") return of(Gpp{n});
  if (kernel == "gsrb/fp") return of(Gsrb<gsrb::Fp>{n});
  if (kernel == "gsrb/branch") return of(Gsrb<gsrb::Branch>{n});
  if (kernel == "lbm") return of(Lbm{n});
  if (kernel == "triad") {
    const stream::Triad body{array(n), array(n), array(n), 0.4};
    return main_of(argc, argv, [&](auto place) { sweep_triad<decltype(place)>(body, n); });
  }
  const stencil::SevenFlops body{array(n * n * n), array(n * n * n), n, n * n};
  return main_of(argc, argv, [&](auto place) { sweep_stencil<decltype(place)>(body, n); });
}
