#pragma once
#include <array>
#include <type_traits>
#include <utility>

#include "apps/lbm/constant.hpp"
#include "bench/space/real.hpp"

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
    {{3, -1},  {3, 0},  {3, 1},   {2, -2},  {2, -1},  {2, 0},  {2, 1},  {2, 2},  {1, -3}, {1, -2},
     {1, -1},  {1, 0},  {1, 1},   {1, 2},   {1, 3},   {0, -3}, {0, -2}, {0, -1}, {0, 0},  {0, 1},
     {0, 2},   {0, 3},  {-1, -3}, {-1, -2}, {-1, -1}, {-1, 0}, {-1, 1}, {-1, 2}, {-1, 3}, {-2, -2},
     {-2, -1}, {-2, 0}, {-2, 1},  {-2, 2},  {-3, -1}, {-3, 0}, {-3, 1}}};

/// The population of a velocity, -1 when the lattice has none.
constexpr int population_of(Velocity c) {
  for (int p = 0; p < populations; ++p)
    if (velocities[p].x == c.x && velocities[p].y == c.y) return p;
  return -1;
}

/// Quadrature weight, by shell: the solution of the isotropic Gaussian moment equations to 25 digits.
constexpr double weight(Velocity c) {
  switch (c.x * c.x + c.y * c.y) {
    case 0:
      return 0.2331506691323525022865067;
    case 1:
      return 0.1073060915422190024124643;
    case 2:
      return 0.05766785988879488203006922;
    case 4:
      return 0.01420821615845075026469894;
    case 5:
      return 0.005353049000513775232731502;
    case 8:
      return 0.001011937592673575475410909;
    case 9:
      return 0.0002453010277577173454659166;
    case 10:
      return 0.0002834142529941982174005253;
    default:
      return 0;
  }
}

/// Hermite polynomial of one variable; a tensor component is a product of two.
constexpr double hermite(int order, double c) {
  constexpr auto power2 = [](double x) { return x * x; };
  switch (order) {
    case 0:
      return 1;
    case 1:
      return c;
    case 2:
      return c * c - 1;
    case 3:
      return c * c * c - 3 * c;
    case 4:
      return power2(c * c) - 6 * c * c + 3;
    default:
      return 0;
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
    for (int k = 0; k < components; ++k) t.h[k][p] = hermite(k, c);
  }
  return t;
}

inline constexpr Tables known_tables = make_tables();

/// The same tables in static memory, defined in a file of their own. The optimizer cannot see their values and cannot
/// fold or share operations, so the operations in the source are the ones that run.
extern const Tables static_tables;

/// Where a kernel with constant tables finds them; a GPU has a memory for it.
struct StaticMemory {
  static ROOFLINE_BODY const Tables& tables() { return static_tables; }
};

template <int n>
using Fixed = std::integral_constant<int, n>;

/// The arguments of a kernel with run-time tables.
struct Parameters {
  const Tables* tables = nullptr;
  int populations = 0;
};

// Three ways in which a kernel body may see the lattice. Each walks the populations with for_each and gives their
// weight w, their velocity as a value (x, y) and as a factor (cx, cy), |c|^2 and the Hermite components h.

/// v0: tables behind a pointer, a bound known at run time; every use is a load.
template <class Real>
struct PointerTables {
  using real = Real;
  Parameters parameters;

  template <class Body>
  ROOFLINE_BODY void for_each(Body body) const {
    ROOFLINE_UNROLL(1)
    for (int p = 0; p < parameters.populations; ++p) body(p);
  }
  ROOFLINE_BODY real w(int p) const { return everywhere(parameters.tables->w + p); }
  ROOFLINE_BODY real x(int p) const { return everywhere(parameters.tables->cx + p); }
  ROOFLINE_BODY real y(int p) const { return everywhere(parameters.tables->cy + p); }
  ROOFLINE_BODY real cx(int p) const { return x(p); }
  ROOFLINE_BODY real cy(int p) const { return y(p); }
  ROOFLINE_BODY real c2(real cx, real cy, int) const { return cx * cx + cy * cy; }
  template <int k>
  ROOFLINE_BODY real h(Fixed<k>, int p) const {
    return everywhere(parameters.tables->h[k] + p);
  }

 private:
  /// One number for all lanes. The counting space sees it as a load of each site.
  static ROOFLINE_BODY real everywhere(const double* at) { return decltype(real::value)::load_everywhere(at); }
};

/// v1: static constant tables and a constant bound, in loops that stay loops. Reading a constant does not count as a
/// load, as on a GPU, where it comes from the constant memory.
template <class Real, class Memory = StaticMemory>
struct StaticTables {
  using real = Real;
  explicit ROOFLINE_BODY StaticTables(const Parameters&) {}

  template <class Body>
  ROOFLINE_BODY void for_each(Body body) const {
    ROOFLINE_UNROLL(1)
    for (int p = 0; p < populations; ++p) body(p);
  }
  ROOFLINE_BODY real w(int p) const { return Memory::tables().w[p]; }
  ROOFLINE_BODY real x(int p) const { return Memory::tables().cx[p]; }
  ROOFLINE_BODY real y(int p) const { return Memory::tables().cy[p]; }
  ROOFLINE_BODY real cx(int p) const { return x(p); }
  ROOFLINE_BODY real cy(int p) const { return y(p); }
  ROOFLINE_BODY real c2(real cx, real cy, int) const { return cx * cx + cy * cy; }
  template <int k>
  ROOFLINE_BODY real h(Fixed<k>, int p) const {
    return Memory::tables().h[k][p];
  }
};

/// v2 and later: loops unrolled at compile time. A factor is an operand at a fixed address, and nothing at all where it
/// is 0, 1 or -1; |c|^2 and what follows from it is a Constant.
template <class Real, class Memory = StaticMemory>
struct FoldedTables {
  using real = Real;
  explicit ROOFLINE_BODY FoldedTables(const Parameters&) {}

  template <class Body>
  ROOFLINE_BODY void for_each(Body body) const {
    for_each(body, std::make_integer_sequence<int, populations>{});
  }
  ROOFLINE_BODY real w(int p) const { return Memory::tables().w[p]; }
  ROOFLINE_BODY real x(int p) const { return Memory::tables().cx[p]; }
  ROOFLINE_BODY real y(int p) const { return Memory::tables().cy[p]; }
  template <int p>
  ROOFLINE_BODY auto cx(Fixed<p>) const {
    return factor<bits(known_tables.cx[p])>(Memory::tables().cx[p]);
  }
  template <int p>
  ROOFLINE_BODY auto cy(Fixed<p>) const {
    return factor<bits(known_tables.cy[p])>(Memory::tables().cy[p]);
  }
  template <class CX, class CY, int p>
  ROOFLINE_BODY auto c2(CX, CY, Fixed<p>) const {
    constexpr Velocity c = velocities[p];
    return Constant<bits(r * r * (c.x * c.x + c.y * c.y))>{};
  }
  template <int k, int p>
  ROOFLINE_BODY auto h(Fixed<k>, Fixed<p>) const {
    return factor<bits(known_tables.h[k][p])>(Memory::tables().h[k][p]);
  }

 private:
  template <std::uint64_t known>
  static ROOFLINE_BODY auto factor(double in_memory) {
    constexpr Constant<known> constant;
    if constexpr (constant.value == 0 || constant.value == 1 || constant.value == -1)
      return constant;
    else
      return real(in_memory);
  }
  template <class Body, int... p>
  static ROOFLINE_BODY void for_each(Body& body, std::integer_sequence<int, p...>) {
    (body(Fixed<p>{}), ...);
  }
};

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
