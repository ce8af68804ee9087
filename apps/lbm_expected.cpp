#include "apps/lbm_expected.hpp"

#include <algorithm>
#include <cmath>

namespace roofline::lbm {
namespace {

constexpr Index states = 61;  // a prime, so that steps in x and y do not fall on the same state

Index state(Index ix, Index iy) { return ((7 * ix + 31 * iy) % states + states) % states; }

const std::vector<reference::Site>& pattern() {
  static const auto sites = [] {
    std::vector<reference::Site> all(states);
    for (Index k = 0; k < states; ++k) {
      const double phase = 0.7 * static_cast<double>(k);
      all[k] = reference::equilibrium({.rho = 1 + 0.1 * std::sin(phase),
                                       .ux = 0.05 * std::cos(2 * phase),
                                       .uy = -0.04 * std::sin(3 * phase),
                                       .temperature = 0.98 + 0.03 * std::cos(phase)});
      for (int p = 0; p < populations; ++p) all[k][p] *= 1 + 0.01 * std::cos(p + phase);
    }
    return all;
  }();
  return sites;
}

}  // namespace

double initial(Index p, Index ix, Index iy) { return pattern()[state(ix, iy)][p]; }

Expected::Expected(const Grid& grid) : grid_(grid) {
  for (const bool bulk : {false, true})
    for (const auto& site : pattern()) collided_[bulk].push_back(reference::collide(site, bulk, fluid));

  // One site of each neighbourhood. The first 61 columns and rows that are no edges show all of them.
  constexpr std::size_t edges = 2 * reach + 1;
  bounded_.resize(edges * edges * states), stepped_.resize(edges * edges * states);
  std::vector<bool> known(bounded_.size());
  const auto candidates = [](Index n) {
    std::vector<Index> all;
    for (Index i = 0; i < std::min(n, reach + states); ++i) all.push_back(i);
    for (Index i = std::max<Index>(n - reach, reach + states); i < n; ++i) all.push_back(i);
    return all;
  };
  for (const Index ix : candidates(grid.lx))
    for (const Index iy : candidates(grid.ly)) {
      const auto where = neighbourhood(ix, iy);
      if (known[where]) continue;
      known[where] = true;
      const bool bulk = is_bulk(grid, iy);
      const Index fourth = iy < reach ? reach : grid.ly - 1 - reach;
      const auto& site = pattern()[state(ix, iy)];
      bounded_[where] = bulk ? site : at_wall(site, pattern()[state(ix, fourth)], iy);
      const auto moved = pulled(ix, iy);
      stepped_[where] = reference::collide(bulk ? moved : at_wall(moved, pulled(ix, fourth), iy), bulk, fluid);
    }
}

/// Which sites have the same surroundings: the distance to an edge nearer than a step, and the state.
std::size_t Expected::neighbourhood(Index ix, Index iy) const {
  const auto edge = [](Index i, Index n) { return i < reach ? i : i >= n - reach ? reach + n - 1 - i : 2 * reach; };
  return static_cast<std::size_t>((edge(ix, grid_.lx) * (2 * reach + 1) + edge(iy, grid_.ly)) * states + state(ix, iy));
}

/// Before anything moves; x is periodic, beyond a wall is what it reflects.
double Expected::at_start(int p, Index ix, Index iy) const {
  ix = (ix % grid_.lx + grid_.lx) % grid_.lx;
  if (iy < 0) return initial(36 - p, ix, -1 - iy);
  if (iy >= grid_.ly) return initial(36 - p, ix, 2 * grid_.ly - 1 - iy);
  return initial(p, ix, iy);
}

reference::Site Expected::pulled(Index ix, Index iy) const {
  reference::Site site;
  int p = 0;
  for (int x = 3; x >= -3; --x)
    for (int y = -3; y <= 3; ++y)
      if (x * x + y * y <= 10) site[p] = at_start(p, ix - x, iy - y), ++p;
  return site;
}

reference::Site Expected::at_wall(const reference::Site& site, const reference::Site& fourth_row, Index iy) const {
  const bool bottom = iy < 3;
  const double wall = bottom ? walls.bottom : walls.top;
  const double distance = (static_cast<double>(bottom ? iy : grid_.ly - 1 - iy) + 0.5) / 3.5;
  return reference::rest(site, wall + distance * (reference::macroscopic(fourth_row).temperature - wall));
}

double Expected::collided(int p, Index ix, Index iy) const {
  return inside(ix, iy) ? collided_[is_bulk(grid_, iy)][state(ix, iy)][p] : 0.0;
}

double Expected::propagated(int p, Index ix, Index iy) const {
  if (!inside(ix, iy)) return 0.0;
  const Velocity c = velocities[p];
  return at_start(p, ix - c.x, iy - c.y);
}

double Expected::bounded(int p, Index ix, Index iy) const {
  if (iy < -3 || iy >= grid_.ly + 3) return 0.0;
  ix = (ix % grid_.lx + grid_.lx) % grid_.lx;
  if (iy < 0) return bounded(36 - p, ix, -1 - iy);
  if (iy >= grid_.ly) return bounded(36 - p, ix, 2 * grid_.ly - 1 - iy);
  return bounded_[neighbourhood(ix, iy)][p];
}

double Expected::stepped(int p, Index ix, Index iy) const {
  return inside(ix, iy) ? stepped_[neighbourhood(ix, iy)][p] : 0.0;
}

}  // namespace roofline::lbm
