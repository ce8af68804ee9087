#pragma once
#include "apps/gsrb/gsrb.hpp"
#include "bench/space/cuda.hpp"
#include "bench/space/real.hpp"

namespace roofline::gsrb {

/// The 5 x 5 x 5 surroundings of a cell, as an array that an operator reads like any other. Every index is a constant
/// after inlining, so that the elements in use are registers and the others do not exist.
struct Window {
  static constexpr Index j = 5, k = 25, centre = 2 * (1 + j + k);
  double value[125] = {};

  template <class V, bool Fma>
  ROOFLINE_BODY Real<V, Fma> operator[](At<V, Fma> at) const {
    return V{value[at.i]};
  }
  /// To the cell above: its plane becomes the one below.
  ROOFLINE_BODY void move_up() {
    ROOFLINE_UNROLL(100)
    for (Index at = 0; at < 4 * k; ++at) value[at] = value[at + k];
  }
};

/// A place of a window relative to its centre.
struct Place {
  int i, j, k;
  constexpr Index element() const { return Window::centre + i + j * Window::j + k * Window::k; }
};

template <Place... places>
struct Places {
  /// From an array with strides j and k, `cell` the address of the centre.
  static ROOFLINE_BODY void load(Window& window, const double* cell, Index j, Index k) {
    ((window.value[places.element()] = cuda_math::load_read_only(cell + places.i + places.j * j + places.k * k)), ...);
  }
};

/// The places that an operator reads of each vector: `fresh` ones are not in the window of the plane below, `kept` ones
/// are.
template <class Operator>
struct Surroundings;

template <>
struct Surroundings<FourthOrder> {
  struct X {
    using fresh = Places<Place{0, 0, 2},                                                    //
                         Place{-1, 0, 1}, Place{1, 0, 1}, Place{0, -1, 1}, Place{0, 1, 1},  //
                         Place{-2, 0, 0}, Place{2, 0, 0}, Place{0, -2, 0}, Place{0, 2, 0},  //
                         Place{-1, -1, 0}, Place{1, -1, 0}, Place{-1, 1, 0}, Place{1, 1, 0}>;
    using kept = Places<Place{0, 0, 1},                                                                         //
                        Place{0, 0, 0}, Place{-1, 0, 0}, Place{1, 0, 0}, Place{0, -1, 0}, Place{0, 1, 0},       //
                        Place{0, 0, -1}, Place{-1, 0, -1}, Place{1, 0, -1}, Place{0, -1, -1}, Place{0, 1, -1},  //
                        Place{0, 0, -2}>;
  };
  struct BetaI {
    using fresh =
        Places<Place{0, 0, 1}, Place{1, 0, 1}, Place{0, -1, 0}, Place{1, -1, 0}, Place{0, 1, 0}, Place{1, 1, 0}>;
    using kept = Places<Place{0, 0, 0}, Place{1, 0, 0}, Place{0, 0, -1}, Place{1, 0, -1}>;
  };
  struct BetaJ {
    using fresh =
        Places<Place{0, 0, 1}, Place{0, 1, 1}, Place{-1, 0, 0}, Place{-1, 1, 0}, Place{1, 0, 0}, Place{1, 1, 0}>;
    using kept = Places<Place{0, 0, 0}, Place{0, 1, 0}, Place{0, 0, -1}, Place{0, 1, -1}>;
  };
  struct BetaK {
    using fresh = Places<Place{0, 0, 1}, Place{-1, 0, 1}, Place{1, 0, 1}, Place{0, -1, 1}, Place{0, 1, 1}>;
    using kept = Places<Place{0, 0, 0}, Place{-1, 0, 0}, Place{1, 0, 0}, Place{0, -1, 0}, Place{0, 1, 0}>;
  };
};

template <>
struct Surroundings<SevenPoint> {
  struct X {
    using fresh = Places<Place{0, 0, 1}, Place{-1, 0, 0}, Place{1, 0, 0}, Place{0, -1, 0}, Place{0, 1, 0}>;
    using kept = Places<Place{0, 0, 0}, Place{0, 0, -1}>;
  };
  struct BetaI {
    using fresh = Places<Place{0, 0, 0}, Place{1, 0, 0}>;
    using kept = Places<>;
  };
  struct BetaJ {
    using fresh = Places<Place{0, 0, 0}, Place{0, 1, 0}>;
    using kept = Places<>;
  };
  struct BetaK {
    using fresh = Places<Place{0, 0, 1}>;
    using kept = Places<Place{0, 0, 0}>;
  };
};

}  // namespace roofline::gsrb
