#pragma once
#include "bench/space/real.hpp"

namespace roofline::spmv {

/// The load of an index by lane type V; the counting space has its own.
template <class V>
struct IndexAt {
  static ROOFLINE_BODY Index load(const int* p) { return *p; }
};

/// y = A x with A in compressed sparse rows (CSR). A nonzero takes 2 FLOP and 20 B: its value 8, its column 4, x 8.
struct Row {
  const int *begin, *column;  ///< first nonzero of each row and, behind the last row, their number; their columns
  View value, x, y;

  template <class V, bool Fma>
  ROOFLINE_BODY void operator()(At<V, Fma> row) const {
    using real = Real<V, Fma>;
    const Index end = IndexAt<V>::load(begin + row.i + 1);
    real sum = 0.0;
    for (Index k = IndexAt<V>::load(begin + row.i); k < end; ++k) {
      const Index from = IndexAt<V>::load(column + k);
      const real left = value[At<V, Fma>{k}];
      const real right = x[At<V, Fma>{from}];
      sum += left * right;
    }
    y.set(row, sum);
  }
};

}  // namespace roofline::spmv
