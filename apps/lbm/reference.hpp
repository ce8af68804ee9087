#pragma once
#include <array>

#include "apps/lbm/lbm.hpp"

namespace roofline::lbm::reference {

// The collision written out once more, for verification: one site, plain doubles, tables of its own. It shares only the
// numbering of the populations and the parameters with the kernels.

/// The 37 populations of a site.
using Site = std::array<double, populations>;

struct Macroscopic {
  double rho, ux, uy, temperature;
};

Macroscopic macroscopic(const Site& f);

/// Fourth-order Hermite expansion of the Maxwellian.
Site equilibrium(const Macroscopic& m);

/// One collision; `bulk` is false in the rows next to a wall.
Site collide(const Site& f, bool bulk, const Fluid& fluid);

/// The site at rest at a temperature, mass kept: see RestAtWall.
Site rest(const Site& f, double temperature);

}  // namespace roofline::lbm::reference
