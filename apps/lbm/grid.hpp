#pragma once
#include "bench/space/real.hpp"

namespace roofline::lbm {

/// LX x LY sites as a structure of arrays with halos: population p of site (ix, iy) is element
/// p NX NY + (ix + 3) NY + (iy + 16), NX = LX + 6, NY = LY + 32. y runs fastest; 3 of the 16 halo sites are used, the
/// others align the columns.
struct Grid {
  static constexpr Index halo_x = 3, halo_y = 16;
  Index lx = 0, ly = 0;

  constexpr Index nx() const { return lx + 2 * halo_x; }
  constexpr Index ny() const { return ly + 2 * halo_y; }
  constexpr Index plane() const { return nx() * ny(); }  ///< elements of one population
  constexpr Index sites() const { return lx * ly; }
  constexpr Index site(Index ix, Index iy) const { return (ix + halo_x) * ny() + iy + halo_y; }
};

}  // namespace roofline::lbm
