#pragma once
#include "bench/space/real.hpp"

namespace roofline {

/// An array that is written past the caches; for whole rows from an aligned start.
struct Streamed {
  double* data = nullptr;

  template <class V, bool Fma>
  ROOFLINE_BODY void set(At<V, Fma> at, Real<V, Fma> x) const {
    View{data}.set_streaming(at, x);
  }
};

}  // namespace roofline
