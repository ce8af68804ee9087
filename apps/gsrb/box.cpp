#include "apps/gsrb/box.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace roofline::gsrb {
namespace {

Index doubles(const BoxShape& shape) { return cache_line + vectors * shape.vector_stride() + 2 * shape.k_stride; }

BoxShape checked_shape(int level, Index ghosts, Rows rows) {
  require_level(level, fmt::format("gsrb level {}", level));
  return {box_edge(level), ghosts, rows};
}

}  // namespace

void require_level(Index level, std::string_view what) {
  if (level < lowest_level || level > highest_level)
    throw std::invalid_argument(
        fmt::format("{}: the level must be one of {}..{} (edge 2^level in 8 boxes), choose "
                    "for example 7",
                    what, lowest_level, highest_level));
  require_memory(static_cast<double>(doubles(BoxShape(box_edge(level), 2))) * sizeof(double), what);
}

Level::Level(int level, Boundary boundary, Index ghosts, const GhostWeights& weights, Rows rows)
    : shape_(checked_shape(level, ghosts, rows)),
      boundary_(boundary),
      weights_(weights),
      memory_(doubles(shape_)),
      // HPGMG aligns the first interior cell, BOX_ALIGN_1ST_CELL: rows then are whole cache lines.
      first_(memory_.data() + round_up(shape_.at(0, 0, 0), cache_line) - shape_.at(0, 0, 0)) {
  for (Index plane = 0; plane < 2; ++plane)
    for (Index j = -ghosts; j < shape_.n + ghosts; ++j)
      for (Index i = -ghosts; i < shape_.n + ghosts; ++i)
        mask(plane)[shape_.at(i, j, -ghosts)] = ((i ^ j ^ plane) & 1) == 0 ? 1.0 : 0.0;
}

void Level::exchange(Vector vector) const {
  const Index n = shape_.n;
  const std::array<Index, 3> stride{1, shape_.j_stride, shape_.k_stride};
  // Along i, then j with the ghosts in i, then k with both: edges and corners follow, and a Dirichlet edge is the
  // product of two extrapolations.
  for (int axis = 0; axis < 3; ++axis) {
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    const Index ghosts_a = a < axis ? shape_.ghosts : 0, ghosts_b = b < axis ? shape_.ghosts : 0;
#pragma omp parallel for schedule(static)
    for (Index number = 0; number < boxes; ++number) {
      double* const own = box(vector, number) + shape_.at(0, 0, 0);
      const double* const neighbour = box(vector, number ^ (1 << axis)) + shape_.at(0, 0, 0);
      for (const bool high : {false, true}) {
        const bool outer = high == (((number >> axis) & 1) != 0);
        const bool extrapolate = outer && boundary_ == Boundary::dirichlet;
        const Index inward = high ? -stride[axis] : stride[axis];
        const Index inside = high ? (n - 1) * stride[axis] : 0;
        for (Index layer = 0; layer < shape_.ghosts; ++layer)
          for (Index q = -ghosts_b; q < n + ghosts_b; ++q)
            for (Index p = -ghosts_a; p < n + ghosts_a; ++p) {
              const Index line_start = inside + p * stride[a] + q * stride[b];
              double& ghost = own[line_start - (layer + 1) * inward];
              if (extrapolate) {
                ghost = 0;
                for (Index c = 0; c < 4; ++c)
                  ghost += weights_[static_cast<std::size_t>(layer)][static_cast<std::size_t>(c)] *
                           own[line_start + c * inward];
              } else {
                ghost = neighbour[line_start + (n - 1 - layer) * inward];
              }
            }
      }
    }
  }
}

Beta::Beta(Index edge) {
  for (Index half_steps = -margin; half_steps < 2 * edge + margin; ++half_steps)
    sines_.push_back(std::sin(std::numbers::pi * static_cast<double>(half_steps) / static_cast<double>(edge)));
}

void set_coefficients(const Level& level) {
  const Index edge = level.edge(), radius = level.shape().ghosts;
  const Beta beta(edge);
  for (int axis = 0; axis < 3; ++axis)
    level.set(
        static_cast<Vector>(static_cast<int>(Vector::beta_i) + axis),
        [&](Index i, Index j, Index k) { return beta(axis, i, j, k); }, true);

  // The value at place p of an axis if the value at place c is 1 and all others are 0: 1 at c, 0 at other cells, c's
  // share in the ghosts.
  const auto response = [&](Index c, Index p) {
    if (level.boundary() == Boundary::periodic || (0 <= p && p < edge)) return p == c ? 1.0 : 0.0;
    const Index layer = p < 0 ? -1 - p : p - edge, depth = p < 0 ? c : edge - 1 - c;
    return depth < 4 ? level.ghost_weights()[static_cast<std::size_t>(layer)][static_cast<std::size_t>(depth)] : 0.0;
  };
  level.set(Vector::dinv, [&](Index i, Index j, Index k) {
    const auto near_boundary = [&](Index c) { return c < radius || c >= edge - radius; };
    if (near_boundary(i) || near_boundary(j) || near_boundary(k)) {
      const double diagonal = -plain_operator(
          radius, [&](Offset o) { return response(i, i + o[0]) * response(j, j + o[1]) * response(k, k + o[2]); },
          [&](int axis, Offset o) { return beta(axis, i + o[0], j + o[1], k + o[2]); });
      return 1 / (level.h2inv() * diagonal);
    }
    const double faces = beta(0, i, j, k) + beta(0, i + 1, j, k) + beta(1, i, j, k) + beta(1, i, j + 1, k) +
                         beta(2, i, j, k) + beta(2, i, j, k + 1);
    return 1 / (level.h2inv() * faces * (radius == 1 ? 1.0 : 15.0 / 12.0));
  });
}

}  // namespace roofline::gsrb
