#pragma once
#include <string>
#include <vector>

#include "apps/gsrb/box.hpp"
#include "apps/mg/mg.hpp"
#include "bench/space/workload.hpp"

namespace roofline::mg {

inline constexpr Index lowest_level = 1, highest_level = 8;

enum class Cycle { v, f };

/// One level: a unit cube of n^3 cells in one box with ghost cells.
struct Level {
  gsrb::BoxShape shape;
  Buffer x, others;  ///< temp, rhs, beta along i, j, k and dinv

  explicit Level(Index n);
  /// The level where its memory is, here or in copies on a device.
  Grid grid(double* x_memory, double* others_memory) const;
};

/// -div(beta grad u) = f on the unit cube with u = 0 on its boundary, on all levels of 2^1 to 2^level cells along an
/// edge, beta as in gsrb. f belongs to u = a sin(pi x) sin(2 pi y) sin(3 pi z), and `seed` chooses a (0: 1).
struct Problem {
  std::uint64_t seed;
  std::vector<Level> levels;  ///< coarsest first

  Problem(Index level, std::uint64_t chosen);
  /// The solution and the right-hand side at the centre of a cell of a level with n^3 cells.
  double solution(Index n, Index i, Index j, Index k) const;
  double source(Index n, Index i, Index j, Index k) const;
  std::vector<Grid> grids() const;
  /// x and the right-hand side of every level, ghosts and padding included, after a cycle that began with x = 0:
  /// against the same cycle in plain loops, which updates colours in place and has no ghosts.
  Check check(Cycle cycle) const;
};

/// A cycle from a guess of zero, so that launches repeat.
template <class Run>
void launch(std::span<const Grid> grids, Cycle cycle, Run run) {
  if (cycle == Cycle::f) return f_cycle(grids, run);
  run(Zero(grids.back()));
  v_cycle(grids, run);
}

/// A V-cycle on N = 8^l cells has 105 N FLOP besides those of the level below: 84 smoothing, 19 for the residual, 1 for
/// each of its restriction and its correction. An F-cycle has 12 more for each level's right-hand side and guess.
std::uint64_t declared_flops(Cycle cycle, Index level);

/// mg/v_cycle/level:N, mg/f_cycle/level:N
std::string row_name(Cycle cycle, Index level);

/// Throws std::invalid_argument unless `level` is 1 to 8 and fits the memory; `what` is who asks.
void require_level(Index level, std::string_view what);

}  // namespace roofline::mg
