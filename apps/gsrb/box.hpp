#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "apps/gsrb/gsrb.hpp"
#include "bench/space/buffer.hpp"

namespace roofline::gsrb {

/// The vectors of a level: a sweep reads x or temp and writes the other.
enum class Vector { x, temp, rhs, beta_i, beta_j, beta_k, dinv };
inline constexpr int vectors = 7;
inline constexpr Index boxes = 8;

constexpr Index round_up(Index n, Index multiple) { return (n + multiple - 1) / multiple * multiple; }

inline constexpr Index cache_line = 8;  ///< in doubles, as all sizes here

/// The length of a row is a multiple of this: 32 in HPGMG (level.c), at least a line.
enum class Rows : Index { padded = 32, dense = cache_line };

/// How a box of n^3 cells lies in memory, i fastest.
struct BoxShape {
  Index n, ghosts, j_stride, k_stride, volume;

  constexpr BoxShape(Index n_, Index ghosts_, Rows rows = Rows::padded)
      : n(n_),
        ghosts(ghosts_),
        j_stride(round_up(n + 2 * ghosts, static_cast<Index>(rows))),
        k_stride(round_up(j_stride * (n + 2 * ghosts), 8)),
        volume(round_up(k_stride * (n + 2 * ghosts), 8)) {}
  /// Place of cell (i, j, k); each index from -ghosts to n + ghosts - 1.
  Index at(Index i, Index j, Index k) const { return i + ghosts + (j + ghosts) * j_stride + (k + ghosts) * k_stride; }
  /// From a cell in one vector to the same one in the next. A vector is followed by 9 cache lines more than its boxes
  /// need, so that the same cell of different vectors is not in the same cache set.
  constexpr Index vector_stride() const { return boxes * volume + 9 * cache_line; }
};

enum class Boundary { periodic, dirichlet };

inline constexpr int lowest_level = 3, highest_level = 8;

/// Cells along an edge of a box.
constexpr Index box_edge(Index level) { return Index{1} << (level - 1); }

/// Throws std::invalid_argument unless `level` is one of those and its vectors fit the memory; `what` is who asks.
void require_level(Index level, std::string_view what);

/// One multigrid level: a unit cube of 2^level cells along an edge in 2 x 2 x 2 boxes with ghost cells.
class Level {
 public:
  /// Zeroed vectors. Throws std::invalid_argument as require_level does, before anything is allocated.
  Level(int level, Boundary boundary, Index ghosts, const GhostWeights& weights, Rows rows = Rows::padded);

  template <class Operator>
  static Level of(int level, Boundary boundary, Rows rows = Rows::padded) {
    return Level(level, boundary, Operator::radius, Operator::ghost_weights, rows);
  }

  const BoxShape& shape() const { return shape_; }
  const Buffer& memory() const { return memory_; }  ///< all vectors and the mask
  Index edge() const { return 2 * shape_.n; }
  Index cells() const { return edge() * edge() * edge(); }
  double h2inv() const { return static_cast<double>(edge() * edge()); }
  Boundary boundary() const { return boundary_; }
  const GhostWeights& ghost_weights() const { return weights_; }

  /// A box's part of a vector; cell (i, j, k) is at shape().at(i, j, k).
  double* box(Vector vector, Index box) const {
    return first_ + static_cast<Index>(vector) * shape_.vector_stride() + box * shape_.volume;
  }
  /// RedBlack_FP: plane 0 is 1.0 where i + j is even, plane 1 where it is odd.
  double* mask(Index plane) const { return first_ + vectors * shape_.vector_stride() + plane * shape_.k_stride; }
  /// An interior cell by its place in the whole domain, 0 <= i, j, k < edge().
  double& cell(Vector vector, Index i, Index j, Index k) const {
    const Index n = shape_.n;
    return box(vector, i / n + 2 * (j / n) + 4 * (k / n))[shape_.at(i % n, j % n, k % n)];
  }

  /// Sets a vector to value(i, j, k) in all boxes, i, j, k counted in the whole domain. With ghosts, theirs too, where
  /// an index may lie outside the domain.
  template <class Value>
  void set(Vector vector, Value value, bool with_ghosts = false) const;

  /// Ghost exchange and boundary condition: fills all ghost cells from the boxes' interiors.
  void exchange(Vector vector) const;

 private:
  BoxShape shape_;
  Boundary boundary_;
  GhostWeights weights_;
  Buffer memory_;
  double* first_;
};

/// beta at a point of the domain, in units of h: 1 + 1/4 sin 2 pi x sin 2 pi y sin 2 pi z.
class Beta {
 public:
  explicit Beta(Index edge);
  /// The face between cell (i, j, k) and its lower neighbour along `axis`.
  double operator()(int axis, Index i, Index j, Index k) const {
    return 1 + 0.25 * sine(2 * i + (axis != 0)) * sine(2 * j + (axis != 1)) * sine(2 * k + (axis != 2));
  }

 private:
  static constexpr Index margin = 8;
  double sine(Index half_steps) const { return sines_[static_cast<std::size_t>(half_steps + margin)]; }
  std::vector<double> sines_;  ///< from `margin` half steps below the domain to as many above
};

/// Sets beta everywhere and dinv = 1 / diagonal of A, boundary condition included.
void set_coefficients(const Level& level);

/// The operators as their formulas say it, face by face, for set-up and verification: the sum in A x = -1/h^2 sum.
/// `x(offset)` is relative to the cell, `beta(axis, offset)` the lower face of a cell. A radius of 1 is 7pt, of 2 fv4.
using Offset = std::array<Index, 3>;
template <class X, class Face>
double plain_operator(Index radius, X x, Face beta) {
  const auto plus = [](Offset a, Offset b, Index scale = 1) {
    return Offset{a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]};
  };
  const Offset here{};
  double normal = 0, mixed = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const Index side : {-1, 1}) {
      Offset e{}, face{};
      e[axis] = side;
      face[axis] = side > 0;
      if (radius == 1) {
        normal += beta(axis, face) * (x(e) - x(here));
        continue;
      }
      const Offset outer = plus(e, e), inner = plus(here, e, -1);
      normal += beta(axis, face) * (15 * (x(e) - x(here)) - (x(outer) - x(inner))) / 12;
      for (int tangent = 0; tangent < 3; ++tangent) {
        if (tangent == axis) continue;
        Offset f{};
        f[tangent] = 1;
        const double slope = beta(axis, plus(face, f)) - beta(axis, plus(face, f, -1));
        mixed += slope * (x(plus(e, f)) - x(f) - x(plus(e, f, -1)) + x(plus(here, f, -1))) / 48;
      }
    }
  return normal + mixed;
}

template <class Value>
void Level::set(Vector vector, Value value, bool with_ghosts) const {
  const Index n = shape_.n, g = with_ghosts ? shape_.ghosts : 0, height = n + 2 * g;
#pragma omp parallel for schedule(static)
  for (Index slice = 0; slice < boxes * height; ++slice) {
    const Index number = slice / height, k = slice % height - g;
    const Index i0 = number % 2 * n, j0 = number / 2 % 2 * n, k0 = number / 4 * n;
    double* const data = box(vector, number);
    for (Index j = -g; j < n + g; ++j)
      for (Index i = -g; i < n + g; ++i) data[shape_.at(i, j, k)] = value(i0 + i, j0 + j, k0 + k);
  }
}

}  // namespace roofline::gsrb
