#pragma once
#include <cmath>
#include <stdexcept>
#include <string>

#include "apps/gemm/gemm.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/noise.hpp"
#include "bench/space/workload.hpp"

namespace roofline::gemm {

inline constexpr Index block = 96;  ///< n is a multiple: whole tiles of every vector length, and of a GPU's blocks

/// Matrices of rank two, A_ik = f(0, i) f(1, k) + f(2, i) f(3, k) and B_kj = f(4, k) f(5, j) + f(6, k) f(7, j), so that
/// their product is known by four sums over k. The factors are multiples of 1/64 below 2: all sums are exact, in any
/// order, up to n = 2^23.
struct Problem {
  Index n;
  std::uint64_t seed;
  Buffer a, b, c;
  Buffer strips;  ///< copies of parts of B; made with the matrices, so it lies alike in the caches of every run
  double inner[2][2] = {};  ///< sum over k of f(1 + 2 s, k) f(4 + 2 t, k)

  Problem(Index size, std::uint64_t chosen, Index of_strips = 1)
      : n(size), seed(chosen), a(n * pitch()), b(n * pitch()), c(n * pitch()), strips(of_strips) {
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < n; ++row)
      for (Index column = 0; column < n; ++column) {
        a[row * pitch() + column] = f(0, row) * f(1, column) + f(2, row) * f(3, column);
        b[row * pitch() + column] = f(4, row) * f(5, column) + f(6, row) * f(7, column);
      }
    for (int s = 0; s < 2; ++s)
      for (int t = 0; t < 2; ++t)
        for (Index k = 0; k < n; ++k) inner[s][t] += f(1 + 2 * s, k) * f(4 + 2 * t, k);
  }

  /// An odd number of cache lines: a column of a tile does not fall into one set of a cache.
  Index pitch() const { return n + 8; }
  Matrices matrices() const { return {a.view(), b.view(), c.view(), pitch()}; }
  double f(std::uint64_t vector, Index at) const { return std::floor(64 * Noise(seed, vector + 1).positive(at)) / 64; }
  Check check() const {
    const auto expected = [this](Index at) {
      const Index row = at / pitch(), column = at % pitch();
      if (column >= n) return 0.0;
      double sum = 0;
      for (int s = 0; s < 2; ++s)
        for (int t = 0; t < 2; ++t) sum += f(2 * s, row) * inner[s][t] * f(5 + 2 * t, column);
      return sum;
    };
    return compare(c.data(), expected, n * pitch(), 1e-15);
  }
};

inline std::uint64_t declared_flops(Index n) {
  const auto size = static_cast<std::uint64_t>(n);
  return 2 * size * size * size;
}

inline std::string row_name(const char* kind, Index n) {
  return std::string("gemm/") + kind + "/n:" + std::to_string(n);
}

inline void require_valid(Index n) {
  constexpr Index most = 96 * 1000;
  if (n < block || n > most || n % block != 0)
    throw std::invalid_argument("--gemm=" + std::to_string(n) + ": n must be a multiple of " + std::to_string(block) +
                                ", up to " + std::to_string(most));
}

}  // namespace roofline::gemm
