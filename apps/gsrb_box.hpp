#pragma once
#include <algorithm>
#include <array>

#include "apps/gsrb.hpp"
#include "bench/space/buffer.hpp"

namespace roofline::gsrb {

/// How a box of n^3 cells lies in memory, i fastest, rows padded to 32 doubles (HPGMG level.c). Sizes in doubles.
struct BoxShape {
  Index n, ghosts, j_stride, k_stride, volume;

  BoxShape(Index n, Index ghosts);
  /// Place of cell (i, j, k); each index from -ghosts to n + ghosts - 1.
  Index at(Index i, Index j, Index k) const { return i + ghosts + (j + ghosts) * j_stride + (k + ghosts) * k_stride; }
};

/// The vectors of a level: a sweep reads x or temp and writes the other.
enum class Vector { x, temp, rhs, beta_i, beta_j, beta_k, dinv };
inline constexpr int vectors = 7;
inline constexpr Index boxes = 8;

enum class Boundary { periodic, dirichlet };

/// One multigrid level: a unit cube of 2^level cells along an edge in 2 x 2 x 2 boxes with ghost cells.
class Level {
 public:
  /// Zeroed vectors. Throws std::invalid_argument unless 3 <= level <= 8 and the memory is there.
  Level(int level, Boundary boundary, Index ghosts, const GhostWeights& weights);

  template <class Operator>
  static Level of(int level, Boundary boundary) {
    return Level(level, boundary, Operator::radius, Operator::ghost_weights);
  }

  const BoxShape& shape() const { return shape_; }
  Index edge() const { return 2 * shape_.n; }
  Index cells() const { return edge() * edge() * edge(); }
  double h2inv() const { return static_cast<double>(edge() * edge()); }
  Boundary boundary() const { return boundary_; }
  const GhostWeights& ghost_weights() const { return weights_; }

  /// A box's part of a vector; cell (i, j, k) is at shape().at(i, j, k).
  double* box(Vector vector, Index box) const {
    return first_ + static_cast<Index>(vector) * vector_stride_ + box * shape_.volume;
  }
  /// RedBlack_FP: plane 0 is 1.0 where i + j is even, plane 1 where it is odd.
  double* mask(Index plane) const { return first_ + vectors * vector_stride_ + plane * shape_.k_stride; }
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
  Index vector_stride_;
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
  double sine(Index half_steps) const { return sines_[(half_steps + period_) % period_]; }
  std::size_t period_;
  std::vector<double> sines_;
};

/// Sets beta everywhere and dinv = 1 / diagonal of A, boundary condition included.
void set_coefficients(const Level& level);

