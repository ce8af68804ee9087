#pragma once
#include "bench/space/real.hpp"

namespace roofline::gemm {

/// C = A B of square matrices, by rows; 2 n^3 FLOP.
struct Matrices {
  View a, b, c;
  Index pitch;  ///< elements from a row to the next
};

/// Rows of B in the columns of a tile, or a copy of them.
struct Strip {
  View first;   ///< its first row
  Index pitch;  ///< elements from a row to the next
};

/// A tile of C in registers: `rows` x `packs` packs, `row_step` rows and `column_step` columns apart. It adds the
/// products of columns [begin, end) of A and a strip of these rows of B, to zero where they are the first ones and
/// otherwise to what C holds. It loads `rows` + `packs` values for rows x packs multiply-adds: registers reuse the data
/// here.
template <int rows, int packs, Index row_step, Index column_step, class V, bool Fma>
ROOFLINE_BODY void add_tile(const Matrices& m, const Strip& b, Index row, At<V, Fma> column, Index begin, Index end) {
  using real = Real<V, Fma>;
  real sum[rows][packs];
  const At<V, Fma> corner = column + row * m.pitch;
  ROOFLINE_UNROLL(8)
  for (Index r = 0; r < rows; ++r) {
    ROOFLINE_UNROLL(8)
    for (Index p = 0; p < packs; ++p) {
      sum[r][p] = 0.0;
      if (begin > 0) sum[r][p] = m.c[corner + (r * row_step * m.pitch + p * column_step)];
    }
  }
  const double* left = m.a.data + row * m.pitch;
  for (Index k = begin; k < end; ++k) {
    real right[packs];
    ROOFLINE_UNROLL(8)
    for (Index p = 0; p < packs; ++p) right[p] = b.first[At<V, Fma>{(k - begin) * b.pitch + p * column_step}];
    ROOFLINE_UNROLL(8)
    for (Index r = 0; r < rows; ++r) {
      const real factor = V::load_everywhere(left + r * row_step * m.pitch + k);
      ROOFLINE_UNROLL(8)
      for (Index p = 0; p < packs; ++p) sum[r][p] += factor * right[p];
    }
  }
  ROOFLINE_UNROLL(8)
  for (Index r = 0; r < rows; ++r) {
    ROOFLINE_UNROLL(8)
    for (Index p = 0; p < packs; ++p) m.c.set(corner + (r * row_step * m.pitch + p * column_step), sum[r][p]);
  }
}

}  // namespace roofline::gemm
