#pragma once
#include "bench/space/real.hpp"

namespace roofline::stream {

// The four kernels of STREAM (McCalpin 1995) and the dot product of BabelStream. FLOP and bytes per element are those
// that the source loads and stores; a write-allocating cache reads each stored line as well.

/// c = a: 0 FLOP, 16 B.
template <class Output>
struct CopyTo {
  View a;
  Output c;
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    const typename At::real x = a[at];
    c.set(at, x);
  }
};
using Copy = CopyTo<View>;

/// b = s c: 1 FLOP, 16 B.
template <class Output>
struct ScaleTo {
  Output b;
  View c;
  double s;
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    using real = typename At::real;
    const real x = c[at];
    b.set(at, real(s * x));
  }
};
using Scale = ScaleTo<View>;

/// c = a + b: 1 FLOP, 24 B.
template <class Output>
struct AddTo {
  View a, b;
  Output c;
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    using real = typename At::real;
    const real x = a[at];
    const real y = b[at];
    c.set(at, x + y);
  }
};
using Add = AddTo<View>;

/// a = b + s c: 2 FLOP, 24 B.
template <class Output>
struct TriadTo {
  Output a;
  View b, c;
  double s;
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    using real = typename At::real;
    const real x = b[at];
    const real y = c[at];
    a.set(at, x + s * y);
  }
};
using Triad = TriadTo<View>;

/// sum += a b: 2 FLOP, 16 B.
struct Dot {
  View a, b;
  template <class At>
  ROOFLINE_BODY void operator()(At at, typename At::real& sum) const {
    using real = typename At::real;
    const real x = a[at];
    const real y = b[at];
    sum += x * y;
  }
};

}  // namespace roofline::stream
