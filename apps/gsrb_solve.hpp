#pragma once
#include <algorithm>
#include <vector>

#include "apps/gsrb_box.hpp"
#include "bench/space/openmp.hpp"

namespace roofline::gsrb {

/// A slab of a sweep: 32 rows, so that the 18 planes of rows that fv4 needs at once stay in an L2 cache of 1 MiB up to
/// level 8, and 8 planes.
inline constexpr Index slab_rows = 32, slab_planes = 8;

/// The cells of row (j, k) of a box, seen by a sweep that writes `to` from `from`.
template <class Array>
Cells<Array> row(const Level& level, Vector from, Vector to, Index box, Index j, Index k, Index colour) {
  const BoxShape& shape = level.shape();
  const auto array = [&](Vector vector) { return Array{level.box(vector, box) + shape.at(0, j, k)}; };
  return {.x = array(from),
          .rhs = array(Vector::rhs),
          .beta_i = array(Vector::beta_i),
          .beta_j = array(Vector::beta_j),
          .beta_k = array(Vector::beta_k),
          .dinv = array(Vector::dinv),
          .out = array(to),
          .mask = {level.mask((k ^ colour) & 1) + shape.at(0, j, -shape.ghosts)},
          .j = shape.j_stride,
          .k = shape.k_stride,
          .parity = (j ^ k ^ colour) & 1,
          .minus_b_h2inv = -level.h2inv()};
}

/// One sweep over all boxes in any CPU space: `Variant` updates the cells of one colour, `to` from `from`. The ghost
/// cells of `from` must be up to date.
template <class Operator, class Variant, class Space>
void sweep(Space space, const Level& level, Vector from, Vector to, Index colour) {
  const Index n = level.shape().n;
  const Index rows = std::min(n, slab_rows), planes = std::min(n, slab_planes);
  const Index tiles = n / rows, layers = n / planes;
  space.parallel(
      boxes * tiles * layers,
      [&](Index slab) {
        const Index box = slab / layers / tiles, tile = slab / layers % tiles, layer = slab % layers;
        for (Index k = layer * planes; k < (layer + 1) * planes; ++k)
          for (Index j = tile * rows; j < (tile + 1) * rows; ++j) {
            const auto cells = row<typename Variant::Array>(level, from, to, box, j, k, colour);
            space.lanes(0, n / Variant::cells_per_item,
                        [&](auto at) { Variant::template update<Operator>(cells, at); });
          }
      },
      layers * tiles);
}

/// rhs - A x in `temp`, its 2-norm returned. Fills the ghosts of x.
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
template <class Operator, class Variant, bool Fma = false>
void smooth(const Level& level, int pairs) {
  for (int pair = 0; pair < pairs; ++pair) {
    level.exchange(Vector::x);
    sweep<Operator, Variant>(OpenMp<Fma>{}, level, Vector::x, Vector::temp, 0);
    level.exchange(Vector::temp);
    sweep<Operator, Variant>(OpenMp<Fma>{}, level, Vector::temp, Vector::x, 1);
  }
}

/// The residual after each number of red-black pairs, relative to that of the x it starts from.
template <class Operator, class Variant, bool Fma = false>
std::vector<double> residual_history(const Level& level, const std::vector<int>& pairs) {
  const double initial = residual_norm<Operator>(level);
  std::vector<double> history;
  int done = 0;
  for (const int upto : pairs) {
    smooth<Operator, Variant, Fma>(level, upto - done);
    done = upto;
    history.push_back(residual_norm<Operator>(level) / initial);
  }
  return history;
}

}  // namespace roofline::gsrb
