#pragma once
#include <algorithm>
#include <atomic>
#include <tuple>
#include <type_traits>

#include "apps/gpp/gpp.hpp"
#include "bench/space/pack_complex.hpp"
#include "bench/space/prefetch.hpp"

namespace roofline::gpp {

inline constexpr Index partial_size = 16;  // doubles per band: two cache lines

/// Asks for the lines that the pack `ahead` packs further on will load, one for every `Step` numbers. With a stride of
/// four numbers and more each of them lies in a line of its own, and not every CPU's prefetchers follow loads that are
/// joined from so many places.
template <Prefetch into, Index Step, class V, bool Fma>
ROOFLINE_BODY void prefetch(const double* row, Index stride, At<V, Fma> at, Index ahead) {
  if constexpr (V::lanes > 1)
    for (Index lane = 0; lane < V::lanes; lane += Step)
      prefetch_line<into>(row + 2 * stride * (at.i + ahead * V::lanes + lane));
}

/// The row that a chunk is about: passes begin at equal distances. Threads share out the passes, so they walk as far
/// from one another as they can, and none finds in a shared cache what another has just read: the traffic of a thread
/// does not depend on the others, as in the cache model.
constexpr Index row_of(Index chunk, Index rows, Index passes) { return (chunk + chunk / rows * rows / passes) % rows; }

/// One launch. The loops are n (band), igs (stride), p, ig; one chunk is one row, and static scheduling gives a thread
/// consecutive rows of its bands.
///
/// The stride loop stands outside p, not inside as in the published source: there a pass over one row came back to it
/// from a cache smaller than the row; here a last-level cache holds many rows, and only a pass over all of I_eps and
/// wtilde comes back to memory.
///
/// I_eps and wtilde are prefetched, into the cache `into`, `ahead` packs before they are loaded: where they are not,
/// the loop is without a question for it.
///
/// Summing the lanes and the rows at the end is outside the FLOP account; the additions to sums that start at zero are
/// inside. Both lambdas must be inlined, or the sums live in memory.
template <int Nw, bool Divide, class View, Prefetch into, class Space>
void launch(Space space, Problem& problem, Index stride, [[maybe_unused]] Index ahead = 0) {
  constexpr Index step = std::is_same_v<View, ComplexView<false>> ? 4 : 1;  // numbers of a line that one pack loads
  const auto wx = frequencies();
  const Index passes = problem.number_bands * stride, rows = problem.ngpown;
  std::fill(problem.partial.begin(), problem.partial.end(), 0.0);

  const auto row_sum =
      [&problem, wx, passes, rows, stride, ahead, space ](Index chunk) mutable __attribute__((always_inline)) {
    const Index pass = chunk / rows, n = pass / stride, igs = pass % stride;
    const Index p = row_of(chunk, rows, passes);
    const Index igp = problem.igp(p);
    const auto view = [&](const Buffer& array, Index row) {
      return View{array.data() + 2 * (row * problem.ncouls + igs), stride};
    };
    const double* const aqsm = problem.aqsm.data() + 2 * (n * problem.ncouls + igp);
    const Row<Nw, Divide, View> row{.aqsn = view(problem.aqsn, n),
                                    .i_eps = view(problem.i_eps, p),
                                    .wtilde = view(problem.wtilde, p),
                                    .aqsm = {aqsm[0], aqsm[1]},
                                    .vcoul = problem.vcoul[igp],
                                    .wx = wx};
    // Whole packs and the remaining elements have private sums.
    using Lanes = Sums<Nw, typename Space::At::real>;
    using Rest = Sums<Nw, Real<typename Space::Single, Space::fma>>;
    std::tuple<Lanes, Rest> sums{};
    space.lanes(
        0, (problem.ncouls - igs + stride - 1) / stride, [&](auto at) __attribute__((always_inline)) {
          if constexpr (into != Prefetch::none)
            prefetch<into, step>(row.i_eps.data, stride, at, ahead),
                prefetch<into, step>(row.wtilde.data, stride, at, ahead);
          row(at, std::get<Sums<Nw, typename decltype(at)::real>>(sums));
        });
    double* const achtemp = problem.partial.data() + n * partial_size;
    const auto& [lanes, rest] = sums;
    for (int iw = 0; iw < Nw; ++iw) {  // atomic: two threads may share a band
      std::atomic_ref(achtemp[2 * iw]) += lanes[iw].re.value.sum() + rest[iw].re.value.sum();
      std::atomic_ref(achtemp[2 * iw + 1]) += lanes[iw].im.value.sum() + rest[iw].im.value.sum();
    }
  };
  // Rows do equal work if the stride divides them, else only whole bands do.
  space.parallel(passes * rows, row_sum, problem.ncouls % stride == 0 ? 1 : stride * rows);

  for (int iw = 0; iw < Nw; ++iw) {
    problem.achtemp[iw] = {0, 0};
    for (Index n = 0; n < problem.number_bands; ++n) {
      problem.achtemp[iw].re += problem.partial[n * partial_size + 2 * iw];
      problem.achtemp[iw].im += problem.partial[n * partial_size + 2 * iw + 1];
    }
  }
}

}  // namespace roofline::gpp
