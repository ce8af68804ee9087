#include "apps/lbm/expected.hpp"

#include <cmath>

#include "bench/space/noise.hpp"

namespace roofline::lbm {
namespace {

constexpr Index states = InitialState::states;

/// State number k of 61.
reference::Site state(std::uint64_t seed, Index k) {
  const double phase = 0.7 * static_cast<double>(k);
  const Noise noise(seed, static_cast<std::uint64_t>(k) << 40);
  enum { rho, ux, uy, temperature, first_population };
  const auto wave = [&](Index quantity, double fixed) { return seed ? noise(quantity) : fixed; };
  auto site = reference::equilibrium({.rho = 1 + 0.1 * wave(rho, std::sin(phase)),
                                      .ux = 0.05 * wave(ux, std::cos(2 * phase)),
                                      .uy = -0.04 * wave(uy, std::sin(3 * phase)),
                                      .temperature = 0.98 + 0.03 * wave(temperature, std::cos(phase))});
  for (int p = 0; p < populations; ++p) site[p] *= 1 + 0.01 * wave(first_population + p, std::cos(p + phase));
  return site;
}

bool inside(const Grid& grid, Index ix, Index iy) { return ix >= 0 && ix < grid.lx && iy >= 0 && iy < grid.ly; }

Index wrapped(Index i, Index n) { return (i % n + n) % n; }

/// Before anything moves; x is periodic, beyond a wall is what it reflects.
double at_start(const Grid& grid, const InitialState& initial, int p, Index ix, Index iy) {
  ix = wrapped(ix, grid.lx);
  if (iy < 0) return initial(36 - p, ix, -1 - iy);
  if (iy >= grid.ly) return initial(36 - p, ix, 2 * grid.ly - 1 - iy);
  return initial(p, ix, iy);
}

reference::Site pulled(const Grid& grid, const InitialState& initial, Index ix, Index iy) {
  reference::Site site;
  int p = 0;
  for (int x = 3; x >= -3; --x)
    for (int y = -3; y <= 3; ++y)
      if (x * x + y * y <= 10) site[p] = at_start(grid, initial, p, ix - x, iy - y), ++p;
  return site;
}

/// A site of the three rows next to a wall, and the site of the fourth row behind it.
reference::Site at_wall(const Grid& grid, const reference::Site& site, const reference::Site& fourth, Index iy) {
  const bool bottom = iy < 3;
  const double wall = bottom ? walls.bottom : walls.top;
  const double distance = (static_cast<double>(bottom ? iy : grid.ly - 1 - iy) + 0.5) / 3.5;
  return reference::rest(site, wall + distance * (reference::macroscopic(fourth).temperature - wall));
}
Index fourth_row(const Grid& grid, Index iy) { return iy < 3 ? 3 : grid.ly - 4; }

/// Which sites have the same surroundings: the distance to an edge that is nearer than a step, and the state.
std::size_t neighbourhood(const Grid& grid, Index ix, Index iy) {
  const auto edge = [](Index i, Index n) { return i < 3 ? i : i >= n - 3 ? 3 + n - 1 - i : 6; };
  return static_cast<std::size_t>((edge(ix, grid.lx) * 7 + edge(iy, grid.ly)) * states) + InitialState::index(ix, iy);
}

/// `value` at one site of each neighbourhood.
template <class Value>
std::vector<reference::Site> of_neighbourhoods(const Grid& grid, Value value) {
  // Columns and rows that show all of them: the edges, and 61 in between.
  const auto candidates = [](Index n) {
    std::vector<Index> all;
    for (Index i = 0; i < n; ++i)
      if (i < 3 + states || i >= n - 3) all.push_back(i);
    return all;
  };
  std::vector<reference::Site> sites(7 * 7 * states);
  std::vector<bool> known(sites.size());
  const auto rows = candidates(grid.ly);
  for (const Index ix : candidates(grid.lx))
    for (const Index iy : rows) {
      const auto where = neighbourhood(grid, ix, iy);
      if (!known[where]) sites[where] = value(ix, iy);
      known[where] = true;
    }
  return sites;
}

}  // namespace

const Tables static_tables = known_tables;

InitialState::InitialState(std::uint64_t seed) {
  for (Index k = 0; k < states; ++k) states_.push_back(state(seed, k));
}

Buffer initial_lattice(const Grid& grid, std::uint64_t seed) {
  const InitialState initial(seed);
  Buffer lattice(populations * grid.plane());
#pragma omp parallel for schedule(static)
  for (Index ix = 0; ix < grid.lx; ++ix)
    for (int p = 0; p < populations; ++p)
      for (Index iy = 0; iy < grid.ly; ++iy) lattice[p * grid.plane() + grid.site(ix, iy)] = initial(p, ix, iy);
  return lattice;
}

ExpectedCollision::ExpectedCollision(const Grid& grid, std::uint64_t seed) : grid_(grid) {
  const InitialState initial(seed);
  for (const bool bulk : {false, true})
    for (const auto& site : initial.all()) sites_[bulk].push_back(reference::collide(site, bulk, fluid));
}
double ExpectedCollision::operator()(int p, Index ix, Index iy) const {
  return inside(grid_, ix, iy) ? sites_[is_bulk(grid_, iy)][InitialState::index(ix, iy)][p] : 0.0;
}

double ExpectedMove::operator()(int p, Index ix, Index iy) const {
  if (!inside(grid_, ix, iy)) return 0.0;
  const Velocity c = velocities[p];
  return at_start(grid_, initial_, p, ix - c.x, iy - c.y);
}

ExpectedBoundaries::ExpectedBoundaries(const Grid& grid, std::uint64_t seed)
    : grid_(grid), sites_(of_neighbourhoods(grid, [&, initial = InitialState(seed)](Index ix, Index iy) {
        const auto& site = initial.site(ix, iy);
        if (is_bulk(grid, iy)) return site;
        return at_wall(grid, site, initial.site(ix, fourth_row(grid, iy)), iy);
      })) {}
double ExpectedBoundaries::operator()(int p, Index ix, Index iy) const {
  if (iy < -3 || iy >= grid_.ly + 3) return 0.0;
  ix = wrapped(ix, grid_.lx);
  if (iy < 0) return (*this)(36 - p, ix, -1 - iy);
  if (iy >= grid_.ly) return (*this)(36 - p, ix, 2 * grid_.ly - 1 - iy);
  return sites_[neighbourhood(grid_, ix, iy)][p];
}

ExpectedStep::ExpectedStep(const Grid& grid, std::uint64_t seed)
    : grid_(grid), sites_(of_neighbourhoods(grid, [&, initial = InitialState(seed)](Index ix, Index iy) {
        const auto moved = pulled(grid, initial, ix, iy);
        if (is_bulk(grid, iy)) return reference::collide(moved, true, fluid);
        return reference::collide(at_wall(grid, moved, pulled(grid, initial, ix, fourth_row(grid, iy)), iy), false,
                                  fluid);
      })) {}
double ExpectedStep::operator()(int p, Index ix, Index iy) const {
  return inside(grid_, ix, iy) ? sites_[neighbourhood(grid_, ix, iy)][p] : 0.0;
}

}  // namespace roofline::lbm
