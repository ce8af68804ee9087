#pragma once
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "apps/lbm_constant.hpp"

namespace roofline::lbm {

// D2Q37 (Philippi et al. 2006, Shan 2016): 37 velocities, exact moments up to order 9, sound speed 1.

inline constexpr int populations = 37;
inline constexpr int reach = 3;  ///< largest velocity component, in cells per step

/// Length of a unit step: scales the integer velocities so that the sound speed of the quadrature is 1.
inline constexpr double r = 1.19697977039307435897239;

struct Velocity {
  int x, y;
};

/// Ordered by x descending, then y ascending, as in the authors' code; opposite(p) = 36 - p.
inline constexpr std::array<Velocity, populations> velocities{
    {{3, -1},  {3, 0},   {3, 1},   {2, -2},  {2, -1},  {2, 0},  {2, 1},  {2, 2},  {1, -3}, {1, -2},
     {1, -1},  {1, 0},   {1, 1},   {1, 2},   {1, 3},   {0, -3}, {0, -2}, {0, -1}, {0, 0},  {0, 1},
     {0, 2},   {0, 3},   {-1, -3}, {-1, -2}, {-1, -1}, {-1, 0}, {-1, 1}, {-1, 2}, {-1, 3}, {-2, -2},
     {-2, -1}, {-2, 0},  {-2, 1},  {-2, 2},  {-3, -1}, {-3, 0}, {-3, 1}}};

constexpr int opposite(int p) { return populations - 1 - p; }

/// The population of a velocity, -1 when the lattice has none.
constexpr int population_of(Velocity c) {
  for (int p = 0; p < populations; ++p)
    if (velocities[p].x == c.x && velocities[p].y == c.y) return p;
  return -1;
}

/// Quadrature weight, by shell: the solution of the isotropic Gaussian moment equations to 25 digits.
constexpr double weight(Velocity c) {
  switch (c.x * c.x + c.y * c.y) {
    case 0: return 0.2331506691323525022865067;
    case 1: return 0.1073060915422190024124643;
    case 2: return 0.05766785988879488203006922;
    case 4: return 0.01420821615845075026469894;
    case 5: return 0.005353049000513775232731502;
    case 8: return 0.001011937592673575475410909;
    case 9: return 0.0002453010277577173454659166;
    case 10: return 0.0002834142529941982174005253;
    default: return 0;
  }
}

/// Hermite polynomial of one variable; a tensor component is a product of two.
constexpr double hermite(int order, double c) {
  constexpr auto power2 = [](double x) { return x * x; };
  switch (order) {
    case 0: return 1;
    case 1: return c;
    case 2: return c * c - 1;
    case 3: return c * c * c - 3 * c;
    case 4: return power2(c * c) - 6 * c * c + 3;
    default: return 0;
  }
}

/// The components of the Hermite tensors of order 0 to 4.
enum Component : int { h0, hx, hy, hxx, hxy, hyy, hxxx, hxxy, hxyy, hyyy, hxxxx, hxxxy, hxxyy, hxyyy, hyyyy };
inline constexpr int components = 15;
struct Orders {
  int x, y;
};
inline constexpr std::array<Orders, components> orders{{{0, 0},
                                                        {1, 0},
                                                        {0, 1},
                                                        {2, 0},
                                                        {1, 1},
                                                        {0, 2},
                                                        {3, 0},
                                                        {2, 1},
                                                        {1, 2},
                                                        {0, 3},
                                                        {4, 0},
                                                        {3, 1},
                                                        {2, 2},
                                                        {1, 3},
                                                        {0, 4}}};

constexpr double hermite(int component, Velocity c) {
  return hermite(orders[component].x, r * c.x) * hermite(orders[component].y, r * c.y);
}

/// The parameters of the lattice as the authors' code has them: 18 arrays of 37 doubles, 5328 B.
struct Tables {
  double w[populations], cx[populations], cy[populations], h[components][populations];
};
static_assert(sizeof(Tables) == 5328);

constexpr Tables make_tables() {
  Tables t{};
  for (int p = 0; p < populations; ++p) {
    const Velocity c = velocities[p];
    t.w[p] = weight(c), t.cx[p] = r * c.x, t.cy[p] = r * c.y;
    for (int k = 0; k < components; ++k) t.h[k][p] = hermite(k, c) + 0.0;
  }
  return t;
}
inline constexpr Tables tables = make_tables();

template <int n>
using Fixed = std::integral_constant<int, n>;

/// The parameters of a kernel body: where the tables are and how many populations there are, both known at run time.
struct Parameters {
  const Tables* tables = nullptr;
  int populations = 0;
};

// Three places where a kernel body may find the lattice. Each walks the populations with for_each and gives their
// weight, velocity and Hermite components.

/// v0: tables behind a pointer, a bound known at run time; every use is a load.
template <class Real>
struct PointerTables {
  using real = Real;
  Parameters parameters;

  template <class Body>
  ROOFLINE_BODY void for_each(Body body) const {
#pragma GCC unroll 1
    for (int p = 0; p < parameters.populations; ++p) body(p);
  }
  ROOFLINE_BODY real w(int p) const { return everywhere(parameters.tables->w + p); }
  ROOFLINE_BODY real cx(int p) const { return everywhere(parameters.tables->cx + p); }
  ROOFLINE_BODY real cy(int p) const { return everywhere(parameters.tables->cy + p); }
  template <int k>
  ROOFLINE_BODY real h(Fixed<k>, int p) const {
    return everywhere(parameters.tables->h[k] + p);
  }

 private:
  /// One number for all lanes. The counting space sees it as a load of each site.
  static ROOFLINE_BODY real everywhere(const double* at) {
    using Lane = decltype(real::value);
    if constexpr (Lane::lanes == 1)
      return Lane::load(at);
    else
      return Lane::broadcast(*at);
  }
};

/// v1: static constant tables and a constant bound, in loops that stay loops.
template <class Real>
struct StaticTables {
  using real = Real;
  explicit StaticTables(const Parameters&) {}

  template <class Body>
  ROOFLINE_BODY void for_each(Body body) const {
#pragma GCC unroll 1
    for (int p = 0; p < populations; ++p) body(p);
  }
  ROOFLINE_BODY real w(int p) const { return tables.w[p]; }
  ROOFLINE_BODY real cx(int p) const { return tables.cx[p]; }
  ROOFLINE_BODY real cy(int p) const { return tables.cy[p]; }
  template <int k>
  ROOFLINE_BODY real h(Fixed<k>, int p) const {
    return tables.h[k][p];
  }
};

/// v2 and later: the loops are unrolled at compile time and all parameters are Constants.
template <class Real>
struct FoldedTables {
  using real = Real;
  explicit FoldedTables(const Parameters&) {}

  template <class Body>
  ROOFLINE_BODY void for_each(Body body) const {
    for_each(body, std::make_integer_sequence<int, populations>{});
  }
  template <int p>
  ROOFLINE_BODY auto w(Fixed<p>) const {
    return Constant<bits(tables.w[p])>{};
  }
  template <int p>
  ROOFLINE_BODY auto cx(Fixed<p>) const {
    return Constant<bits(tables.cx[p])>{};
  }
  template <int p>
  ROOFLINE_BODY auto cy(Fixed<p>) const {
    return Constant<bits(tables.cy[p])>{};
  }
  template <int k, int p>
  ROOFLINE_BODY auto h(Fixed<k>, Fixed<p>) const {
    return Constant<bits(tables.h[k][p])>{};
  }

 private:
  template <class Body, int... p>
  static ROOFLINE_BODY void for_each(Body& body, std::integer_sequence<int, p...>) {
    (body(Fixed<p>{}), ...);
  }
};

/// g(p) for a function g of the population that depends on the x component of its velocity only. Loops compute it where
/// they use it; unrolled code computes it once for each of the seven components, as an optimizer would.
template <class Lattice, class Function>
ROOFLINE_BODY auto along_x(const Lattice&, Function g) {
  return g;
}
template <class Lattice, class Function>
ROOFLINE_BODY auto along_y(const Lattice&, Function g) {
  return g;
}
template <class Real, class Function>
ROOFLINE_BODY auto along_x(const FoldedTables<Real>&, Function g) {
  constexpr auto at = [](int c) { return population_of({c, 0}); };
  return [values = std::tuple(g(Fixed<at(-3)>{}), g(Fixed<at(-2)>{}), g(Fixed<at(-1)>{}), g(Fixed<at(0)>{}),
                              g(Fixed<at(1)>{}), g(Fixed<at(2)>{}), g(Fixed<at(3)>{}))](auto p) ROOFLINE_INLINED {
    return std::get<velocities[p].x + reach>(values);
  };
}
template <class Real, class Function>
ROOFLINE_BODY auto along_y(const FoldedTables<Real>&, Function g) {
  constexpr auto at = [](int c) { return population_of({0, c}); };
  return [values = std::tuple(g(Fixed<at(-3)>{}), g(Fixed<at(-2)>{}), g(Fixed<at(-1)>{}), g(Fixed<at(0)>{}),
                              g(Fixed<at(1)>{}), g(Fixed<at(2)>{}), g(Fixed<at(3)>{}))](auto p) ROOFLINE_INLINED {
    return std::get<velocities[p].y + reach>(values);
  };
}

}  // namespace roofline::lbm
