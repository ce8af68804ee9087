#pragma once
#include <vector>

#include "apps/lbm_grid.hpp"
#include "apps/lbm_propagate.hpp"
#include "apps/lbm_reference.hpp"

namespace roofline::lbm {

/// Parameters of the timed problems; those of the project's test vector, with tau = (0.8, 0.9, 1.1) for rho T = 1.
inline constexpr Fluid fluid{
    .k1 = 0.3, .k2 = 0.4, .k3 = 0.6, .tau1_wall = 0.8, .tau2_wall = 0.9, .fx = 1e-3, .gy = -2e-3};
inline constexpr Walls walls{.bottom = 1.02, .top = 0.98};

/// False in the three rows next to each wall.
constexpr bool is_bulk(const Grid& grid, Index iy) { return iy >= reach && iy < grid.ly - reach; }

/// The initial populations: 61 different states, slightly out of equilibrium, in a pattern without symmetry.
double initial(Index p, Index ix, Index iy);

/// What the timed launches must have written, element by element, halos included. Sites with the same neighbourhood
/// share a result, so a grid of any size is verified in full.
class Expected {
 public:
  explicit Expected(const Grid& grid);

  double collided(int p, Index ix, Index iy) const;
  double propagated(int p, Index ix, Index iy) const;
  double bounded(int p, Index ix, Index iy) const;  ///< walls, then halos
  double stepped(int p, Index ix, Index iy) const;

 private:
  bool inside(Index ix, Index iy) const { return ix >= 0 && ix < grid_.lx && iy >= 0 && iy < grid_.ly; }
  double at_start(int p, Index ix, Index iy) const;
  reference::Site pulled(Index ix, Index iy) const;
  reference::Site at_wall(const reference::Site& site, const reference::Site& fourth_row, Index iy) const;
  std::size_t neighbourhood(Index ix, Index iy) const;

  Grid grid_;
  std::vector<reference::Site> collided_[2];  // [bulk][state]
  std::vector<reference::Site> bounded_;      // [neighbourhood]
  std::vector<reference::Site> stepped_;      // [neighbourhood]
};

}  // namespace roofline::lbm
