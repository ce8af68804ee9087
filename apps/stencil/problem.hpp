#pragma once
#include "bench/suite/suite.hpp"

namespace roofline::stencil {

/// A cube of edge n, boundary included; v is written in the interior only. Rows are padded so that the first interior
/// point of each begins a cache line: then five of seven loads are aligned, without the padding hardly any (a sixth of
/// the time at 480^3, measured).
struct Cube {
  Index n, pitch;

  explicit Cube(Index edge) : n(edge), pitch((edge + 7) / 8 * 8) {}
  Index at(Index i, Index j, Index k) const { return before_first + (k * n + j) * pitch + i; }
  Index elements() const { return before_first + pitch * n * n; }

  /// Bytes that a chunk of `rows` rows and `planes` planes reads and writes.
  double bytes_of_rows(Index rows, Index planes = 1) const {
    return static_cast<double>((planes + 2) * (rows + 2) + planes * rows) * sizeof(double) * pitch;
  }

  static constexpr Index before_first = 7;  // i = 1 is at a multiple of 8 doubles
};

/// The two cubes of a sweep.
struct Problem : Cube {
  std::uint64_t seed;  ///< of u
  Buffer u, v;

  explicit Problem(Index edge, std::uint64_t seed = 0);
};

/// stencil/7pt/n:N, of a form with other than seven FLOPs stencil/7pt/n:N/flops:F
std::string row_name(Index n, int flops);
/// FLOPs of a sweep: `flops` per interior point.
std::uint64_t declared_flops(Index n, int flops);

/// Every interior point of v against the sum written out from the initial values; the boundary and the padding must
/// still be zero.
Check check(const Problem& problem);

}  // namespace roofline::stencil
