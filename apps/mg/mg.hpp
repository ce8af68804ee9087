#pragma once
#include <span>

#include "apps/gsrb/gsrb.hpp"

/// Multigrid cycles of HPGMG's finite volumes with the 7-point operator (mg.c, operators.7pt.c), from the smoother of
/// the family gsrb. A level is one box of n^3 cells with a layer of ghost cells. Each pass writes the ghosts of what it
/// changes, so a launch of a pass per level and step is all that a cycle needs, on a CPU and on a GPU.
namespace roofline::mg {

using gsrb::Cells, gsrb::EverySecond, gsrb::SevenPoint;

inline constexpr int smooths = 2;         ///< red-black pairs before and after the coarse correction (NUM_SMOOTHS)
inline constexpr int bottom_smooths = 4;  ///< on the 2^3 cells of the coarsest level, where a pair divides errors by 9

/// A level in memory: strides of rows and planes, and where cell (0, 0, 0) is in each vector.
struct Grid {
  Index n, j, k;
  double *x, *temp, *rhs, *beta_i, *beta_j, *beta_k, *dinv;

  /// Row (j, k) of a vector.
  ROOFLINE_BODY View row(double* vector, Index at_j, Index at_k) const { return {vector + at_j * j + at_k * k}; }
  ROOFLINE_BODY Cells<View> cells(double* from, double* to, Index at_j, Index at_k) const {
    return {.x = row(from, at_j, at_k),
            .rhs = row(rhs, at_j, at_k),
            .beta_i = row(beta_i, at_j, at_k),
            .beta_j = row(beta_j, at_j, at_k),
            .beta_k = row(beta_k, at_j, at_k),
            .dinv = row(dinv, at_j, at_k),
            .out = row(to, at_j, at_k),
            .mask = {},
            .j = j,
            .k = k,
            .parity = (at_j ^ at_k) & 1,
            .minus_b_h2inv = -static_cast<double>(n * n)};
  }
};

/// Writes the images of a cell outside the boundary, where x is 0: x(-1) = -x(0) along each axis, edges and corners
/// included (HPGMG, apply_BCs_p1). `beyond` is 0, or the step along i to an image beyond the end of the row.
template <class At>
ROOFLINE_BODY void mirror(const Grid& grid, View row, At at, Index j, Index k, Index beyond = 0) {
  using real = typename At::real;
  const Index last = grid.n - 1;
  for (Index to_k = k == 0 ? -1 : 0; to_k <= (k == last ? 1 : 0); ++to_k)
    for (Index to_j = j == 0 ? -1 : 0; to_j <= (j == last ? 1 : 0); ++to_j) {
      const At image = at + (beyond + to_j * grid.j + to_k * grid.k);
      if (image.i == at.i) continue;
      const real x = row[at];
      if (((beyond + to_j + to_k) & 1) != 0)
        row.set(image, -x);
      else
        row.set(image, x);
    }
}

/// A pass over the rows of a level of n^3 cells: `row(j, k)` is the body of `items` work items, and `changed(j, k)` the
/// row that they leave, whose images follow.
struct Pass {
  Grid grid;
  Index items;
};

/// x = 0.
struct Zero : Pass {
  explicit Zero(const Grid& grid) : Pass{grid, grid.n} {}
  ROOFLINE_BODY View changed(Index j, Index k) const { return grid.row(grid.x, j, k); }
  ROOFLINE_BODY auto row(Index j, Index k) const {
    return [x = changed(j, k)](auto at) ROOFLINE_INLINED { x.set(at, typename decltype(at)::real(0.0)); };
  }
};

/// Half of a smooth, out of place, GSRB_BRANCH: red cells from x to temp, then black ones from temp to x. 21 FLOP per
/// updated cell.
struct Sweep : Pass {
  Index colour;
  Sweep(const Grid& grid, Index which) : Pass{grid, grid.n}, colour(which) {}
  ROOFLINE_BODY View changed(Index j, Index k) const { return grid.row(colour == 0 ? grid.temp : grid.x, j, k); }
  ROOFLINE_BODY auto row(Index j, Index k) const {
    auto cells = colour == 0 ? grid.cells(grid.x, grid.temp, j, k) : grid.cells(grid.temp, grid.x, j, k);
    cells.parity ^= colour;
    return [cells](auto at) ROOFLINE_INLINED { gsrb::Branch::update<SevenPoint>(cells, at); };
  }
};

/// temp = rhs - A x, 19 FLOP per cell.
struct Residual : Pass {
  explicit Residual(const Grid& grid) : Pass{grid, grid.n} {}
  ROOFLINE_BODY auto row(Index j, Index k) const {
    return [cells = grid.cells(grid.x, grid.temp, j, k)](auto at) ROOFLINE_INLINED {
      using real = typename decltype(at)::real;
      const real x = cells.x[at];
      const real rhs = cells.rhs[at];
      cells.out.set(at, real(rhs - SevenPoint::apply(cells, at, x)));
    };
  }
};

/// rhs of the coarse level: the mean of eight cells of `fine`, 8 FLOP per coarse cell (RESTRICT_CELL).
struct Restriction : Pass {
  Grid fine;
  double* from;
  Restriction(const Grid& coarse, const Grid& finer, double* vector)
      : Pass{coarse, coarse.n}, fine(finer), from(vector) {}
  ROOFLINE_BODY auto row(Index j, Index k) const {
    return [out = grid.row(grid.rhs, j, k), in = EverySecond{fine.row(from, 2 * j, 2 * k).data}, next_j = fine.j,
            next_k = fine.k](auto at) ROOFLINE_INLINED {
      using real = typename decltype(at)::real;
      const auto first = decltype(at){2 * at.i};
      real sum = in[first];
      sum += in[first + 1];
      sum += in[first + next_j];
      sum += in[first + (next_j + 1)];
      sum += in[first + next_k];
      sum += in[first + (next_k + 1)];
      sum += in[first + (next_k + next_j)];
      sum += in[first + (next_k + next_j + 1)];
      out.set(at, real(0.125 * sum));
    };
  }
};

/// x += the correction of the coarse cell around it, piecewise constant, 1 FLOP per fine cell (interpolation_p0). An
/// item is two cells of a row.
struct Correction : Pass {
  Grid coarse;
  Correction(const Grid& fine, const Grid& coarser) : Pass{fine, coarser.n}, coarse(coarser) {}
  ROOFLINE_BODY View changed(Index j, Index k) const { return grid.row(grid.x, j, k); }
  ROOFLINE_BODY auto row(Index j, Index k) const {
    return [out = EverySecond{changed(j, k).data}, in = coarse.row(coarse.x, j / 2, k / 2)](auto at) ROOFLINE_INLINED {
      using real = typename decltype(at)::real;
      const real correction = in[at];
      for (Index side = 0; side < 2; ++side) {
        const auto to = decltype(at){2 * at.i + side};
        const real x = out[to];
        out.set(to, x + correction);
      }
    };
  }
};

/// x = the coarse x, piecewise linear along each axis, 11 FLOP per fine cell (interpolation_p1): a fine cell lies a
/// quarter of the way from its coarse cell to the next one. An item is two cells of a row.
struct Interpolation : Pass {
  Grid coarse;
  Interpolation(const Grid& fine, const Grid& coarser) : Pass{fine, coarser.n}, coarse(coarser) {}
  ROOFLINE_BODY View changed(Index j, Index k) const { return grid.row(grid.x, j, k); }
  ROOFLINE_BODY auto row(Index j, Index k) const {
    return [out = EverySecond{changed(j, k).data}, in = coarse.row(coarse.x, j / 2, k / 2),
            to_j = j % 2 == 0 ? -coarse.j : coarse.j, to_k = k % 2 == 0 ? -coarse.k : coarse.k](auto at)
               ROOFLINE_INLINED {
                 using real = typename decltype(at)::real;
                 for (Index side = 0; side < 2; ++side) {
                   const Index to_i = 2 * side - 1;
                   const real own = in[at];
                   real faces = in[at + to_i];
                   faces += in[at + to_j];
                   faces += in[at + to_k];
                   real edges = in[at + (to_i + to_j)];
                   edges += in[at + (to_i + to_k)];
                   edges += in[at + (to_j + to_k)];
                   const real corner = in[at + (to_i + to_j + to_k)];
                   real sum = (27.0 / 64) * own;
                   sum += (9.0 / 64) * faces;
                   sum += (3.0 / 64) * edges;
                   sum += (1.0 / 64) * corner;
                   out.set(decltype(at){2 * at.i + side}, sum);
                 }
               };
  }
};

/// Executes a pass in any CPU space, a plane of rows for each chunk. The last plane comes first and then the first one,
/// because these write ghost planes as well, and the counting space takes chunks at the end for all.
template <class Space, class SomePass>
void execute(Space space, const SomePass& pass) {
  const Index n = pass.grid.n, last = n - 1;
  using Single = At<typename Space::Single, Space::fma>;
  const auto plane = [=](Index chunk) mutable {
    const Index k = (chunk + last) % n;
    for (Index j = 0; j < n; ++j) {
      space.lanes(0, pass.items, pass.row(j, k));
      if constexpr (requires { pass.changed(j, k); }) {
        const View row = pass.changed(j, k);
        if (j == 0 || j == last || k == 0 || k == last)
          space.lanes(0, n, [&](auto at) ROOFLINE_INLINED { mirror(pass.grid, row, at, j, k); });
        mirror(pass.grid, row, Single{0}, j, k, -1);
        mirror(pass.grid, row, Single{last}, j, k, 1);
      }
    }
  };
  space.parallel(n, plane);
}

/// `pairs` times a red and a black sweep. `run(pass)` executes a pass on some device.
template <class Run>
void smooth(const Grid& grid, int pairs, Run run) {
  for (int pair = 0; pair < pairs; ++pair) {
    run(Sweep(grid, 0));
    run(Sweep(grid, 1));
  }
}

/// A V-cycle for the x of the last grid, from what it is (MGVCycle). `grids` begin with the coarsest.
template <class Run>
void v_cycle(std::span<const Grid> grids, Run run) {
  const Grid& grid = grids.back();
  const auto coarser = grids.first(grids.size() - 1);
  if (coarser.empty()) return smooth(grid, bottom_smooths, run);
  smooth(grid, smooths, run);
  run(Residual(grid));
  run(Restriction(coarser.back(), grid, grid.temp));
  run(Zero(coarser.back()));
  v_cycle(coarser, run);
  run(Correction(grid, coarser.back()));
  smooth(grid, smooths, run);
}

/// Full multigrid (FMGSolve): the right-hand side on all levels, then from the coarsest to the finest a guess from the
/// level below and a V-cycle. Each level's right-hand side is needed until its V-cycle, and no longer.
template <class Run>
void f_cycle(std::span<const Grid> grids, Run run) {
  for (std::size_t level = grids.size() - 1; level > 0; --level)
    run(Restriction(grids[level - 1], grids[level], grids[level].rhs));
  run(Zero(grids.front()));
  v_cycle(grids.first(1), run);
  for (std::size_t level = 1; level < grids.size(); ++level) {
    run(Interpolation(grids[level], grids[level - 1]));
    v_cycle(grids.first(level + 1), run);
  }
}

}  // namespace roofline::mg
