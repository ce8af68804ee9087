#pragma once
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "apps/gsrb/box.hpp"
#include "bench/space/openmp.hpp"
#include "bench/space/prefetch.hpp"
#include "bench/space/real.hpp"

namespace roofline::gsrb {

/// A sweep goes through a box in chunks of 32 rows of 8 planes. The 18 planes of 32 rows that fv4 needs at once stay in
/// an L2 cache of 1 MiB up to level 8; fewer rows make shorter streams.
struct Walk {
  Index chunk_rows = 32, chunk_planes = 8;
  Index rows_ahead = 2;               ///< that are prefetched; 0: none
  Prefetch into = Prefetch::into_l1;  ///< in whole packs; other sweeps have no other
  bool streams = false;               ///< stores, where a method writes whole rows
  Index planes_at_once = 1;  ///< one row of each before the next row, because their common data are still in L1

  /// In chunks that the caches of a core hold, each with what it writes.
  Walk in_core() const {
    auto small = *this;
    small.chunk_rows = planes_at_once > 1 ? 4 : 8, small.chunk_planes = std::max<Index>(2, planes_at_once);
    small.streams = false;
    return small;
  }
  /// Bytes that a chunk reads and writes, with the cells around it.
  double bytes(const BoxShape& shape) const {
    const auto around = [&](Index n, Index most) { return static_cast<double>(std::min(n, most) + 2 * shape.ghosts); };
    return 8 * sizeof(double) * around(chunk_rows, shape.n) * around(chunk_planes, shape.n) *
           static_cast<double>(shape.j_stride);
  }
};

/// A sweep over the cells of a colour, which writes `to` from `from`.
struct Sweep {
  Vector from, to;
  Index colour;
};

/// Row (j, k) of a box for a sweep.
template <class Array, class Output>
Cells<Array, Output> row(const Level& level, const Sweep& sweep, Index box, Index j, Index k) {
  const BoxShape& shape = level.shape();
  const auto start = [&](Vector vector) { return level.box(vector, box) + shape.at(0, j, k); };
  return {.x = {start(sweep.from)},
          .rhs = {start(Vector::rhs)},
          .beta_i = {start(Vector::beta_i)},
          .beta_j = {start(Vector::beta_j)},
          .beta_k = {start(Vector::beta_k)},
          .dinv = {start(Vector::dinv)},
          .out = {start(sweep.to)},
          .mask = {level.mask((k ^ sweep.colour) & 1) + shape.at(0, j, -shape.ghosts)},
          .j = shape.j_stride,
          .k = shape.k_stride,
          .parity = (j ^ k ^ sweep.colour) & 1,
          .minus_b_h2inv = -level.h2inv()};
}

/// Prefetches the lines that the pack `distance` elements further on needs from memory, those that no earlier row of
/// the sweep has touched. A row is a few lines and then padding: too short for the prefetchers of a CPU, which see some
/// 18 streams at once.
template <class Operator, Prefetch into, class Array, class Output, class V, bool Fma>
ROOFLINE_BODY void prefetch(const Cells<Array, Output>& row, At<V, Fma> item, Index cells_per_item, Index distance) {
  if constexpr (V::lanes > 1) {
    constexpr Index line = 8, planes = Operator::radius;
    const Index begin = distance + item.i * cells_per_item;
    for (Index i = begin; i < begin + V::lanes * cells_per_item; i += line) {
      prefetch_line<into>(row.x.data + planes * row.k + i);
      prefetch_line<into>(row.rhs.data + i);
      prefetch_line<into>(row.beta_i.data + (planes - 1) * row.k + i);
      prefetch_line<into>(row.beta_j.data + (planes - 1) * row.k + row.j + i);
      prefetch_line<into>(row.beta_k.data + row.k + i);
      prefetch_line<into>(row.dinv.data + i);
      if constexpr (!std::is_same_v<Output, Streamed>) __builtin_prefetch(row.out.data + i, 1);
    }
  }
}

/// Calls `visit(box, j, k, distance)` for all rows of a level, chunk by chunk; `distance`, in elements, is that of the
/// row to prefetch.
template <class Space, class Visit>
void for_each_row(Space space, const BoxShape& shape, const Walk& walk, Visit visit) {
  const Index n = shape.n, rows = std::min(n, walk.chunk_rows), planes = std::min(n, walk.chunk_planes);
  const Index tiles = n / rows, layers = n / planes;
  const Index rows_ahead = walk.rows_ahead;
  const Index at_once = std::min(planes, walk.planes_at_once);
  const Index ahead = rows_ahead * shape.j_stride, to_next_plane = at_once * shape.k_stride - rows * shape.j_stride;
  space.parallel(
      boxes * tiles * layers,
      [&](Index chunk) {
        const Index box = chunk / layers / tiles, j0 = chunk / layers % tiles * rows, k0 = chunk % layers * planes;
        for (Index k = k0; k < k0 + planes; k += at_once)
          for (Index j = j0; j < j0 + rows; ++j)
            for (Index plane = k; plane < k + at_once; ++plane)
              visit(box, j, plane, j + rows_ahead < j0 + rows ? ahead : ahead + to_next_plane);
      },
      layers);
}

template <class Operator, class Method, class Output, class Space>
void sweep_into(Space space, const Level& level, Vector from, Vector to, Index colour, const Walk& walk) {
  const Index rows_ahead = walk.rows_ahead, items = level.shape().n / Method::cells_per_item;
  for_each_row(space, level.shape(), walk,
               [&, rows_ahead, items](Index box, Index j, Index k, Index distance) ROOFLINE_INLINED {
                 const auto cells = row<typename Method::Array, Output>(level, {from, to, colour}, box, j, k);
                 space.lanes(0, items, [&](auto at) ROOFLINE_INLINED {
                   if (rows_ahead > 0)
                     prefetch<Operator, Prefetch::into_l1>(cells, at, Method::cells_per_item, distance);
                   Method::template update<Operator>(cells, at);
                 });
               });
}

/// One sweep over all boxes in any CPU space: `Method` updates the cells of color000 = `colour`, `to` from `from`. The
/// ghost cells of `from` must be up to date.
///
/// Stores are streamed only where a method writes whole rows. Half-filled lines must be read first.
template <class Operator, class Method, class Space>
void sweep(Space space, const Level& level, Vector from, Vector to, Index colour, const Walk& walk = {}) {
  if constexpr (Method::cells_per_item == 1)
    if (walk.streams) return sweep_into<Operator, Method, Streamed>(space, level, from, to, colour, walk);
  sweep_into<Operator, Method, typename Method::Array>(space, level, from, to, colour, walk);
}

// The timed instances, compiled once.
extern template void sweep<FourthOrder, Fp>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<FourthOrder, Fp>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<FourthOrder, Branch>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<FourthOrder, Branch>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<FourthOrder, Stride2>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<FourthOrder, Stride2>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<SevenPoint, Fp>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<SevenPoint, Fp>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<SevenPoint, Branch>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<SevenPoint, Branch>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<SevenPoint, Stride2>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
extern template void sweep<SevenPoint, Stride2>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);

/// 2-norm of rhs - A x. Fills the ghosts of x, leaves A x in temp.
template <class Operator>
double residual_norm(const Level& level) {
  level.exchange(Vector::x);
  sweep<Operator, Apply>(OpenMp<false>{}, level, Vector::x, Vector::temp, 0);
  double sum = 0;
  for (Index k = 0; k < level.edge(); ++k)
    for (Index j = 0; j < level.edge(); ++j)
      for (Index i = 0; i < level.edge(); ++i) {
        const double r = level.cell(Vector::rhs, i, j, k) - level.cell(Vector::temp, i, j, k);
        sum += r * r;
      }
  return std::sqrt(sum);
}

/// `pairs` times a red and a black sweep on x, ghost exchange and boundary condition before each. HPGMG's smoother is 3
/// pairs for fv4 and 2 for 7pt.
template <class Operator, class Method, bool Fma = false>
void smooth(const Level& level, int pairs) {
  for (int pair = 0; pair < pairs; ++pair) {
    level.exchange(Vector::x);
    sweep<Operator, Method>(OpenMp<Fma>{}, level, Vector::x, Vector::temp, 0);
    level.exchange(Vector::temp);
    sweep<Operator, Method>(OpenMp<Fma>{}, level, Vector::temp, Vector::x, 1);
  }
}

/// The residual after each number of red-black pairs, relative to that of the x it starts from.
template <class Operator, class Method, bool Fma = false>
std::vector<double> residual_history(const Level& level, const std::vector<int>& pairs) {
  const double initial = residual_norm<Operator>(level);
  std::vector<double> history;
  int done = 0;
  for (const int upto : pairs) {
    smooth<Operator, Method, Fma>(level, upto - done);
    done = upto;
    history.push_back(residual_norm<Operator>(level) / initial);
  }
  return history;
}

}  // namespace roofline::gsrb
