#pragma once
#include "apps/lbm/lattice.hpp"

namespace roofline::lbm {

/// Relaxation and force. In the bulk tau1 = 1/2 + k1 / (rho T) and tau2 likewise; near the walls both are constants.
/// tau3 = 1/2 + k3 everywhere. The force on a site is (fx, gy rho) per step.
struct Fluid {
  double k1 = 0.3, k2 = 0.4, k3 = 0.6;
  double tau1_wall = 0.8, tau2_wall = 0.9;
  double fx = 0, gy = 0;
};

/// The results of the first two loops for a site.
template <class real>
struct Moments {
  real rho, per_rho, ux, uy;
  real spread;         ///< sum of f |c - u|^2 = 2 rho T
  real p[components];  ///< Hermite moments; only orders 2 to 4 are set
};

/// body(k) for the components first to last.
template <int first, int last, class Body>
ROOFLINE_BODY void for_components(Body body) {
  if constexpr (first <= last) {
    body(Fixed<first>{});
    for_components<first + 1, last>(body);
  }
}

/// The sum of a[k] H_k over the components first to last; a has the multiplicities of the tensor in it.
template <int first, int last, class Lattice, class P>
ROOFLINE_BODY auto contract(const Lattice& lattice, const typename Lattice::real* a, P p) {
  if constexpr (first == last)
    return evaluate(a[first] * lattice.h(Fixed<first>{}, p));
  else
    return evaluate(contract<first, last - 1>(lattice, a, p) + a[last] * lattice.h(Fixed<last>{}, p));
}

/// Components xy, xxy, ... stand for all their permutations: 2, 3, 3, 4, 6 and 4 of them.
template <class real>
ROOFLINE_BODY void apply_multiplicities(real* a) {
  a[hxy] = a[hxy] + a[hxy];
  a[hxxy] = 3.0 * a[hxxy], a[hxyy] = 3.0 * a[hxyy];
  a[hxxxy] = 4.0 * a[hxxxy], a[hxxyy] = 6.0 * a[hxxyy], a[hxyyy] = 4.0 * a[hxyyy];
}

/// a times what g() gives; g is not asked where a is zero.
template <class A, class Function>
ROOFLINE_BODY auto times(A a, Function g) {
  if constexpr (std::is_same_v<A, Constant<bits(0)>>)
    return a;
  else
    return a * g();
}

// The collision of D2Q37 in five loops over the populations of a site (or of a pack of sites), as in the authors' code:
// Calore et al., "Massively parallel lattice Boltzmann codes on large GPU clusters", Parallel Computing 58 (2016), and
// Biferale et al., "Second-order closure in stratified turbulence", Phys. Rev. E 84 (2011).
// 37 loads and 37 stores per site; the FLOPs of each loop are in operations.hpp. Terms that may be Constants are
// named by `auto`; where such a name is a product, it has one use, which fuses it. The populations f are a pointer, or
// what is indexed like one.

/// Loop 1: rho = sum f, rho u = sum f c. Takes the populations in.
template <class Lattice, class Load, class F, class real = typename Lattice::real>
ROOFLINE_BODY void take_in(const Lattice& lattice, Load load, F f, Moments<real>& m) {
  real rho = 0.0, jx = 0.0, jy = 0.0;
  lattice.for_each([&](auto p) ROOFLINE_INLINED {
    const real fp = load(p);
    rho = rho + fp;
    jx = jx + fp * lattice.cx(p);
    jy = jy + fp * lattice.cy(p);
    f[p] = fp;
  });
  m.rho = rho;
  m.per_rho = real(1.0) / rho;
  m.ux = jx * m.per_rho;
  m.uy = jy * m.per_rho;
}

/// Loop 2: 2 rho T = sum f |c - u|^2, P_k = sum f H_k for the orders 2 to 4.
template <class Lattice, class F, class real = typename Lattice::real>
ROOFLINE_BODY void find_moments(const Lattice& lattice, F f, Moments<real>& m) {
  const real ux = m.ux, uy = m.uy;
  real spread = 0.0;
  real moment[components];
  for_components<hxx, hyyyy>([&](auto k) ROOFLINE_INLINED { moment[k] = 0.0; });
  lattice.for_each([&](auto p) ROOFLINE_INLINED {
    const real fp = f[p];
    const real dx = lattice.x(p) - ux;
    const real dy = lattice.y(p) - uy;
    spread = spread + (dx * dx + dy * dy) * fp;
    for_components<hxx, hyyyy>([&](auto k) ROOFLINE_INLINED { moment[k] = moment[k] + fp * lattice.h(k, p); });
  });
  m.spread = spread;
  for_components<hxx, hyyyy>([&](auto k) ROOFLINE_INLINED { m.p[k] = moment[k]; });
}

/// The input of relaxation for a site: velocity and temperature after the force, rates, the force.
template <class real>
struct Relaxation {
  real ux, uy, t;     ///< t = T - 1
  real rate1, rate2;  ///< 1 / tau1, 1 / tau2
  real fx, fy;
};

/// Relaxation times and force: u += F tau1 / rho, T += (1 - tau1) tau1 |F|^2 / (2 rho^2). `bulk` is 1, or 0 near walls.
template <class real>
ROOFLINE_BODY Relaxation<real> apply_force(const Moments<real>& m, const Fluid& fluid, real bulk) {
  const real half = 0.5;
  const real temperature = half * m.spread * m.per_rho;
  const real wall = 1.0 - bulk;
  const real per_pressure = real(1.0) / (m.rho * temperature);
  const real tau1 = bulk * (half + fluid.k1 * per_pressure) + wall * fluid.tau1_wall;
  const real tau2 = bulk * (half + fluid.k2 * per_pressure) + wall * fluid.tau2_wall;
  const real fx = fluid.fx, fy = fluid.gy * m.rho;
  const real tau1_per_rho = tau1 * m.per_rho;
  const real past = 1.0 - tau1;
  const real force2 = real(fluid.fx * fluid.fx) + fy * fy;
  const real t = temperature + half * past * tau1 * force2 * m.per_rho * m.per_rho - 1.0;
  return {.ux = m.ux + fx * tau1_per_rho,
          .uy = m.uy + fy * tau1_per_rho,
          .t = t,
          .rate1 = real(1.0) / tau1,
          .rate2 = real(1.0) / tau2,
          .fx = fx,
          .fy = fy};
}

/// Loop 3: f -= w [ (H2 - E2) / (2 tau1) + (H3 - E3) / (6 tau2) + (H4 - E4) / (24 tau3) - F.c ] with the contractions
/// Hn = P_n : H_n and En the part of order n of the equilibrium.
template <class Lattice, class F, class real = typename Lattice::real>
ROOFLINE_BODY void relax(const Lattice& lattice, F f, const Moments<real>& moments, const Fluid& fluid, real bulk) {
  const auto [ux, uy, t, rate1, rate2, fx, fy] = apply_force(moments, fluid, bulk);
  const real rho = moments.rho;
  const real m = ux * ux + uy * uy;
  const real m3 = 3.0 * m, m6 = 6.0 * m, mm3 = m3 * m, t3 = 3.0 * t, t6 = 6.0 * t, tt3 = t3 * t;
  const real rate1_2 = 0.5 * rate1, rate2_6 = (1.0 / 6) * rate2, rate3_24 = 1.0 / (24 * (0.5 + fluid.k3));
  real a[components];
  for_components<hxx, hyyyy>([&](auto k) ROOFLINE_INLINED { a[k] = moments.p[k]; });
  apply_multiplicities(a);
  lattice.for_each([&](auto p) ROOFLINE_INLINED {
    const auto cx = lattice.cx(p);
    const auto cy = lattice.cy(p);
    const auto q = lattice.c2(cx, cy, p);
    const auto q4 = q - number<4>;
    const auto s = evaluate(cx * ux + cy * uy);
    const auto s2 = evaluate(s * s);
    const auto d = evaluate(s2 - m);
    const auto e2 = rho * evaluate(d + t * (q - number<2>));
    const auto e3 = times(evaluate(rho * s), [&]() ROOFLINE_INLINED { return evaluate(s2 - m3 + t3 * q4); });
    const auto fourth = evaluate(s2 * s2 - m6 * s2 + mm3) + t6 * evaluate(q4 * d - number<2> * s2);
    const auto e4 = rho * evaluate(fourth + tt3 * evaluate(q * q - number<8> * q + number<8>));
    const auto order2 = evaluate(contract<hxx, hyy>(lattice, a, p) - e2);
    const auto order3 = evaluate(contract<hxxx, hyyy>(lattice, a, p) - e3);
    const auto order4 = evaluate(contract<hxxxx, hyyyy>(lattice, a, p) - e4);
    const real change = order2 * rate1_2 + order3 * rate2_6 + order4 * rate3_24 - fx * cx - fy * cy;
    f[p] = real(f[p]) - lattice.w(p) * change;
  });
}

/// Loop 4: all 15 moments Q_k = sum f H_k of the relaxed populations.
template <class Lattice, class F, class real = typename Lattice::real>
ROOFLINE_BODY void project(const Lattice& lattice, F f, real* q) {
  real moment[components];
  for_components<h0, hyyyy>([&](auto k) ROOFLINE_INLINED { moment[k] = 0.0; });
  lattice.for_each([&](auto p) ROOFLINE_INLINED {
    const real fp = f[p];
    for_components<h0, hyyyy>([&](auto k) ROOFLINE_INLINED { moment[k] = moment[k] + fp * lattice.h(k, p); });
  });
  for_components<h0, hyyyy>([&](auto k) ROOFLINE_INLINED { q[k] = moment[k]; });
}

/// Loop 5: f' = w [ Q0 + Q1.H1 + Q2:H2 / 2 + Q3:H3 / 6 + Q4:H4 / 24 ], which has no part outside the 15 moments.
template <class Lattice, class Store, class real = typename Lattice::real>
ROOFLINE_BODY void give_out(const Lattice& lattice, const real* q, Store store) {
  const real half = 0.5, sixth = 1.0 / 6, twenty_fourth = 1.0 / 24;
  real a[components];
  for_components<h0, hyyyy>([&](auto k) ROOFLINE_INLINED { a[k] = q[k]; });
  apply_multiplicities(a);
  lattice.for_each([&](auto p) ROOFLINE_INLINED {
    const auto order1 = contract<h0, hy>(lattice, a, p);
    const auto order2 = contract<hxx, hyy>(lattice, a, p);
    const auto order3 = contract<hxxx, hyyy>(lattice, a, p);
    const auto order4 = contract<hxxxx, hyyyy>(lattice, a, p);
    store(p, real(lattice.w(p) * evaluate(order1 + half * order2 + sixth * order3 + twenty_fourth * order4)));
  });
}

}  // namespace roofline::lbm
