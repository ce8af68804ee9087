#pragma once
#include "bench/space/real.hpp"

namespace roofline::stencil {

/// The 7-point stencil in the form of the NERSC talk: v = -6 u + sum of the six neighbours.
/// 7 FLOP (1 mul, 6 add), 7 loads and 1 store per interior point; 24 B of compulsory traffic with write-allocate.
template <class Output, class Input = View>
struct SevenFlopsTo {
  Input u;
  Output v;
  Index row, plane;  ///< distance of neighbours in j and k, elements
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    using real = typename At::real;
    const real center = u[at];
    const real west = u[at - 1];
    const real east = u[at + 1];
    const real south = u[at - row];
    const real north = u[at + row];
    const real below = u[at - plane];
    const real above = u[at + plane];
    v.set(at, -6.0 * center + (((west + east) + (south + north)) + (below + above)));
  }
};
using SevenFlops = SevenFlopsTo<View>;

/// The same operator with coefficients: v = c0 u + c1 (sum of the six neighbours). 8 FLOP (2 mul, 6 add).
template <class Output>
struct EightFlopsTo {
  View u;
  Output v;
  Index row, plane;
  double c0 = -6.0, c1 = 1.0;
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    using real = typename At::real;
    const real center = u[at];
    const real west = u[at - 1];
    const real east = u[at + 1];
    const real south = u[at - row];
    const real north = u[at + row];
    const real below = u[at - plane];
    const real above = u[at + plane];
    const real neighbours = ((west + east) + (south + north)) + (below + above);
    v.set(at, c0 * center + c1 * neighbours);
  }
};
using EightFlops = EightFlopsTo<View>;

}  // namespace roofline::stencil
