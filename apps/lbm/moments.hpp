#pragma once
#include "apps/lbm/lbm.hpp"

namespace roofline::lbm {

// The same collision with the algebra done first. Relaxation, force and the final projection act on 15 moments only,
// and a Hermite component is even or odd in x and in y. So the four populations of (+-a, +-b) are combined into four
// parities, each parity feeds the moments that have it, the moments relax, and the way back is the same in reverse.
// The result equals that of the five loops to rounding; an eighth of the operations is left.

/// The parities of a function on the velocities (a, b), (a, -b), (-a, b), (-a, -b): [odd in x][odd in y].
template <class real>
struct Quad {
  real v[2][2];
};

/// A sum whose first term is not added to zero.
template <class real>
struct Sum {
  real value;
  bool begun = false;

  template <class Term>
  ROOFLINE_BODY void add(Term term) {
    value = begun ? real(value + term) : real(term);
    begun = true;
  }
};

/// body(Fixed<a>, Fixed<b>) for every a, b >= 0 whose four (two, one) velocities are in the lattice; (0, 0) comes last.
template <int a = reach, int b = reach, class Body>
ROOFLINE_BODY void for_quads(Body body) {
  if constexpr (population_of({a, b}) >= 0) body(Fixed<a>{}, Fixed<b>{});
  if constexpr (b > 0)
    for_quads<a, b - 1>(body);
  else if constexpr (a > 0)
    for_quads<a - 1, reach>(body);
}

constexpr bool is_odd_x(int component) { return orders[component].x % 2 == 1; }
constexpr bool is_odd_y(int component) { return orders[component].y % 2 == 1; }

/// P_k = sum f H_k, k = 0..14.
template <class real, class Load>
ROOFLINE_BODY void analyse(Load load, real* p) {
  Sum<real> moment[components];
  for_quads([&](auto a, auto b) ROOFLINE_INLINED {
    Quad<real> sum;
    if constexpr (a > 0 && b > 0) {
      const real pp = load(population_of({a, b})), pm = load(population_of({a, -b}));
      const real mp = load(population_of({-a, b})), mm = load(population_of({-a, -b}));
      const real even_p = pp + mp, even_m = pm + mm, odd_p = pp - mp, odd_m = pm - mm;
      sum = {{{even_p + even_m, even_p - even_m}, {odd_p + odd_m, odd_p - odd_m}}};
    } else if constexpr (a > 0) {
      const real plus = load(population_of({a, 0})), minus = load(population_of({-a, 0}));
      sum.v[0][0] = plus + minus, sum.v[1][0] = plus - minus;
    } else if constexpr (b > 0) {
      const real plus = load(population_of({0, b})), minus = load(population_of({0, -b}));
      sum.v[0][0] = plus + minus, sum.v[0][1] = plus - minus;
    } else {
      sum.v[0][0] = load(population_of({0, 0}));
    }
    for_components<h0, hyyyy>([&](auto k) ROOFLINE_INLINED {
      constexpr Constant<bits(hermite(k, Velocity{a, b}))> h;
      if constexpr (h.value != 0) moment[k].add(h * sum.v[is_odd_x(k)][is_odd_y(k)]);
    });
  });
  for_components<h0, hyyyy>([&](auto k) ROOFLINE_INLINED { p[k] = moment[k].value; });
}

/// f = w sum of Q_k H_k / (i! j!), k = (i, j).
template <class real, class Store>
ROOFLINE_BODY void synthesise(const real* q, Store store) {
  constexpr double factorial[] = {1, 1, 2, 6, 24};
  for_quads([&](auto a, auto b) ROOFLINE_INLINED {
    Sum<real> part[2][2];
    for_components<h0, hyyyy>([&](auto from_last) ROOFLINE_INLINED {
      constexpr int k = hyyyy - from_last;
      constexpr Velocity c{a, b};
      constexpr double norm = factorial[orders[k].x] * factorial[orders[k].y];
      constexpr Constant<bits(weight(c) * hermite(k, c) / norm)> h;
      if constexpr (h.value != 0) part[is_odd_x(k)][is_odd_y(k)].add(h * q[k]);
    });
    const real ee = part[0][0].value, eo = part[0][1].value, oe = part[1][0].value, oo = part[1][1].value;
    if constexpr (a > 0 && b > 0) {
      const real even_p = ee + eo, even_m = ee - eo, odd_p = oe + oo, odd_m = oe - oo;
      store(population_of({a, b}), even_p + odd_p), store(population_of({-a, b}), even_p - odd_p);
      store(population_of({a, -b}), even_m + odd_m), store(population_of({-a, -b}), even_m - odd_m);
    } else if constexpr (a > 0) {
      store(population_of({a, 0}), ee + oe), store(population_of({-a, 0}), ee - oe);
    } else if constexpr (b > 0) {
      store(population_of({0, b}), ee + eo), store(population_of({0, -b}), ee - eo);
    } else {
      store(population_of({0, 0}), ee);
    }
  });
}

/// Q = P + (E - P) / tau_n for the orders 2 to 4, momentum grows by the force. The equilibrium moments are products:
/// E_ij = rho e_i(ux) e_j(uy) with e = 1, u, u^2 + t, u^3 + 3 t u, u^4 + 6 t u^2 + 3 t^2.
template <class real>
ROOFLINE_BODY void relax_moments(real* p, const Fluid& fluid, real bulk) {
  Moments<real> moments;
  moments.rho = p[h0];
  moments.per_rho = real(1.0) / p[h0];
  moments.ux = p[hx] * moments.per_rho;
  moments.uy = p[hy] * moments.per_rho;
  moments.spread = p[hxx] + p[hyy] + (p[h0] + p[h0]) - (p[hx] * moments.ux + p[hy] * moments.uy);
  const auto [ux, uy, t, rate1, rate2, fx, fy] = apply_force(moments, fluid, bulk);
  p[hx] = p[hx] + fx;
  p[hy] = p[hy] + fy;
  const real rates[] = {rate1, rate2, 1.0 / (0.5 + fluid.k3)};
  const real t3 = 3.0 * t, t6 = 6.0 * t, tt3 = t3 * t;
  const real ux2 = ux * ux, uy2 = uy * uy;
  const real rho = moments.rho, rho_ux = rho * ux;
  const real x[] = {rho, rho_ux, rho * (ux2 + t), rho_ux * (ux2 + t3), rho * ((ux2 + t6) * ux2 + tt3)};
  const real y[] = {1.0, uy, uy2 + t, uy * (uy2 + t3), (uy2 + t6) * uy2 + tt3};
  for_components<hxx, hyyyy>([&](auto k) ROOFLINE_INLINED {
    constexpr int i = orders[k].x, j = orders[k].y;
    if constexpr (j == 0)
      p[k] = p[k] + rates[i + j - 2] * (x[i] - p[k]);
    else
      p[k] = p[k] + rates[i + j - 2] * (x[i] * y[j] - p[k]);
  });
}

}  // namespace roofline::lbm
