#pragma once
#include "apps/lbm/lattice.hpp"
#include "bench/model/counts.hpp"

namespace roofline::lbm {

/// f'_p(x) = f_p(x - c_p) for one population: 0 FLOP, 8 B read and 8 B written past the caches.
struct Pull {
  View in, out;
  Index shift;  ///< elements from x - c_p to x
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    const typename At::real f = in[at - shift];
    out.set_streaming(at, f);
  }
};

/// Moves every population along its velocity, `in` with halos filled: 592 B per site.
template <class Space>
void propagate(Space space, const Grid& grid, View in, View out) {
  space.parallel(populations * grid.lx, [=](Index chunk) mutable {
    const Index p = chunk / grid.lx, ix = chunk % grid.lx;
    const Velocity c = velocities[p];
    const Index row = p * grid.plane() + grid.site(ix, 0);
    space.lanes(row, row + grid.ly, Pull{in, out, c.x * grid.ny() + c.y});
  });
}

/// Element for element copy from `distance` elements before.
struct CopyFrom {
  View f;
  Index distance;
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    const typename At::real x = f[at - distance];
    f.set(at, x);
  }
};

/// The neighbourhood beyond the top and the bottom row.
enum class Edge { periodic, wall };

/// Elements that a column's halo cells take from: `below` from `bottom`, `above` from `top`.
struct ColumnHalo {
  Index below, bottom, above, top;

  /// The halo of population p, k cells outside.
  ROOFLINE_BODY ColumnHalo(const Grid& grid, Edge edge, Index p, Index ix, Index k) {
    const Index to = p * grid.plane(), from = (edge == Edge::wall ? populations - 1 - p : p) * grid.plane();
    const Index first = from + grid.site(ix, k), last = from + grid.site(ix, grid.ly - 1 - k);
    below = to + grid.site(ix, -1 - k), above = to + grid.site(ix, grid.ly + k);
    bottom = edge == Edge::wall ? first : last, top = edge == Edge::wall ? last : first;
  }
};

/// A column of halo cells: elements begin to begin + ly + 6 take from `distance` elements before.
struct RowHalo {
  Index begin, distance;

  /// The halo of population p. Columns 0, 1, 2 are below ix = 0, columns 3, 4, 5 above.
  ROOFLINE_BODY RowHalo(const Grid& grid, Index p, Index column) {
    const Index ix = column < reach ? -1 - column : grid.lx + column - reach;
    const Index inside = (ix % grid.lx + grid.lx) % grid.lx;
    begin = p * grid.plane() + grid.site(ix, -reach), distance = (ix - inside) * grid.ny();
  }
};

/// Fills the three halo cells on each side. x is periodic. At a wall what leaves comes back in the opposite population,
/// so that mass is kept: halo row -1 - k holds row k of the opposite populations.
template <class Space>
void fill_halos(Space space, const Grid& grid, View f, Edge edge) {
  space.parallel(grid.lx, [=](Index ix) mutable {
    for (int p = 0; p < populations; ++p)
      for (Index k = 0; k < reach; ++k) {
        const ColumnHalo halo(grid, edge, p, ix, k);
        space.lanes(halo.below, halo.below + 1, CopyFrom{f, halo.below - halo.bottom});
        space.lanes(halo.above, halo.above + 1, CopyFrom{f, halo.above - halo.top});
      }
  });
  space.parallel(populations * 2 * reach, [=](Index chunk) mutable {
    const RowHalo halo(grid, chunk / (2 * reach), chunk % (2 * reach));
    space.lanes(halo.begin, halo.begin + grid.ly + 2 * reach, CopyFrom{f, halo.distance});
  });
}

/// Temperatures of the bottom and the top wall.
struct Walls {
  double bottom = 1.02, top = 0.98;
};

/// Makes the three rows next to a wall rest at the temperature interpolated between the wall, half a cell outside, and
/// the fourth row: f += w [ E (|c|^2 / 2 - 1) - J.c ], J the momentum of the site. Mass stays, momentum becomes 0, and
/// sum f |c|^2 = 2 rho T, by the orthogonality of the Hermite polynomials.
template <class Memory = StaticMemory>
struct RestAtWall {
  View f;
  Index plane, inward;  ///< elements from one population, one row, to the next
  double wall_temperature;

  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    using real = typename At::real;
    const StaticTables<real, Memory> lattice({});
    const real half = 0.5, one = 1.0, wall = wall_temperature;
    const Sums<real> fluid = sums(lattice, at + reach * inward);
    const real per_rho = one / fluid.rho, ux = fluid.jx * per_rho, uy = fluid.jy * per_rho;
    const real fluid_temperature = half * (fluid.energy2 * per_rho - (ux * ux + uy * uy));
    for (Index row = 0; row < reach; ++row) {
      const At site = at + row * inward;
      const auto [rho, jx, jy, energy2] = sums(lattice, site);
      const real distance = (static_cast<double>(row) + 0.5) / (reach + 0.5);
      const real temperature = wall + distance * (fluid_temperature - wall);
      const real e = rho * temperature - half * energy2;
      lattice.for_each([&](int p) {
        const real cx = lattice.cx(p);
        const real cy = lattice.cy(p);
        const real c2 = lattice.c2(cx, cy, p);
        const real f_p = f[site + p * plane];
        const real change = e * real(half * c2 - one) - jx * cx - jy * cy;
        f.set(site + p * plane, f_p + lattice.w(p) * change);
      });
    }
  }

  static constexpr Operations operations() {
    constexpr Operations sums{.add = 1, .mul = 1, .fma = 4}, change{.mul = 2, .fma = 5};
    Operations o{.mul = 4, .fma = 2, .div = 1};  // temperature of the fluid
    for (int p = 0; p < populations; ++p) o += sums;
    for (int row = 0; row < reach; ++row) {
      o += Operations{.add = 1, .mul = 1, .fma = 2};
      for (int p = 0; p < populations; ++p) o += sums + change;
    }
    return o;
  }

 private:
  template <class real>
  struct Sums {
    real rho, jx, jy, energy2;
  };
  /// Sums of f, f c and f |c|^2.
  template <class At, class real = typename At::real>
  ROOFLINE_BODY Sums<real> sums(const StaticTables<real, Memory>& lattice, At site) const {
    real rho = 0.0, jx = 0.0, jy = 0.0, energy2 = 0.0;
    lattice.for_each([&](int p) {
      const real cx = lattice.cx(p);
      const real cy = lattice.cy(p);
      const real c2 = lattice.c2(cx, cy, p);
      const real f_p = f[site + p * plane];
      rho = rho + f_p;
      jx = jx + f_p * cx;
      jy = jy + f_p * cy;
      energy2 = energy2 + f_p * c2;
    });
    return {rho, jx, jy, energy2};
  }
};

template <class Space>
void rest_at_walls(Space space, const Grid& grid, View f, const Walls& walls) {
  space.parallel(grid.lx, [=](Index ix) mutable {
    const Index bottom = grid.site(ix, 0), top = grid.site(ix, grid.ly - 1);
    space.lanes(bottom, bottom + 1, RestAtWall<>{f, grid.plane(), +1, walls.bottom});
    space.lanes(top, top + 1, RestAtWall<>{f, grid.plane(), -1, walls.top});
  });
}

}  // namespace roofline::lbm
