#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "apps/lbm/lattice.hpp"
#include "apps/lbm/propagate.hpp"
#include "apps/lbm/reference.hpp"
#include "bench/suite/suite.hpp"

/// The common part of the rows of the CPU and of GPUs.

namespace roofline::lbm {

/// Parameters of the timed problems: the values of the project's test vector, with tau = (0.8, 0.9, 1.1) for rho T = 1.
inline constexpr Fluid fluid{
    .k1 = 0.3, .k2 = 0.4, .k3 = 0.6, .tau1_wall = 0.8, .tau2_wall = 0.9, .fx = 1e-3, .gy = -2e-3};
inline constexpr Walls walls{.bottom = 1.02, .top = 0.98};

/// False in the three rows next to each wall.
constexpr bool is_bulk(const Grid& grid, Index iy) { return iy >= reach && iy < grid.ly - reach; }

/// The initial populations: 61 different states, slightly out of equilibrium, in a pattern without symmetry. With a
/// seed the states are random ones.
class InitialState {
 public:
  explicit InitialState(std::uint64_t seed = 0);
  const reference::Site& site(Index ix, Index iy) const { return states_[index(ix, iy)]; }
  double operator()(int p, Index ix, Index iy) const { return site(ix, iy)[static_cast<std::size_t>(p)]; }

  static constexpr Index states = 61;  ///< a prime, so that steps in x and y do not fall on the same state
  static std::size_t index(Index ix, Index iy) {
    return static_cast<std::size_t>(((7 * ix + 31 * iy) % states + states) % states);
  }
  const std::vector<reference::Site>& all() const { return states_; }

 private:
  std::vector<reference::Site> states_;
};

/// A lattice of them, halos zero.
Buffer initial_lattice(const Grid& grid, std::uint64_t seed = 0);

// The expected result of the timed launches: element (p, ix, iy), halos included. Sites with the same neighbourhood
// share a result, so a grid of any size is verified in full.

/// By collide.
class ExpectedCollision {
 public:
  explicit ExpectedCollision(const Grid& grid, std::uint64_t seed = 0);
  double operator()(int p, Index ix, Index iy) const;

 private:
  Grid grid_;
  std::vector<reference::Site> sites_[2];  // [bulk][state]
};

/// By propagate, from a lattice with halos.
class ExpectedMove {
 public:
  explicit ExpectedMove(const Grid& grid, std::uint64_t seed = 0) : grid_(grid), initial_(seed) {}
  double operator()(int p, Index ix, Index iy) const;

 private:
  Grid grid_;
  InitialState initial_;
};

/// By the walls and the halos.
class ExpectedBoundaries {
 public:
  explicit ExpectedBoundaries(const Grid& grid, std::uint64_t seed = 0);
  double operator()(int p, Index ix, Index iy) const;

 private:
  Grid grid_;
  std::vector<reference::Site> sites_;  // by neighbourhood
};

/// By a whole step.
class ExpectedStep {
 public:
  explicit ExpectedStep(const Grid& grid, std::uint64_t seed = 0);
  double operator()(int p, Index ix, Index iy) const;

 private:
  Grid grid_;
  std::vector<reference::Site> sites_;  // by neighbourhood
};

/// Compares every element of a lattice, halos included.
template <class Expected>
Check check_lattice(const Grid& grid, const Buffer& lattice, std::uint64_t seed = 0) {
  const Expected expected(grid, seed);
  const auto value = [&](Index at) {
    const Index p = at / grid.plane(), site = at % grid.plane();
    return expected(static_cast<int>(p), site / grid.ny() - Grid::halo_x, site % grid.ny() - Grid::halo_y);
  };
  return compare(lattice.data(), value, populations * grid.plane(), 1e-12);
}

/// lbm/WHAT/lx:X/ly:Y, of a collide kernel with /fma:0 or /fma:1.
inline std::string row_name(const std::string& what, const Grid& grid) {
  return "lbm/" + what + "/lx:" + std::to_string(grid.lx) + "/ly:" + std::to_string(grid.ly);
}
inline std::string collide_name(const std::string& version, const Grid& grid, bool fma) {
  return row_name("collide/" + version, grid) + "/fma:" + (fma ? "1" : "0");
}

/// FLOPs of the boundary conditions at the sites of both walls.
inline std::uint64_t wall_flops(const Grid& grid) {
  return RestAtWall<>::operations().flops() * 2 * static_cast<std::uint64_t>(grid.lx);
}

/// FLOPs of a collision of every site.
inline std::uint64_t collide_flops(const Grid& grid, std::uint64_t per_site) {
  return per_site * static_cast<std::uint64_t>(grid.sites());
}

}  // namespace roofline::lbm
