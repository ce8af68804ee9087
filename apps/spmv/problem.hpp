#pragma once
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "apps/spmv/spmv.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/noise.hpp"
#include "bench/space/workload.hpp"

namespace roofline::spmv {

inline constexpr int neighbours = 7;  ///< nonzeros of a row: the point itself and six around it
/// A row in memory: its part of the matrix, of x and of y.
inline constexpr double bytes_of_row = neighbours * 12 + 4 + 8 + 8;

/// The matrix of the 7-point stencil on a periodic cube of edge n, so that all rows have seven nonzeros. Its values
/// differ from place to place, as those of a finite-volume code with variable coefficients do.
struct Problem {
  Index n;
  std::uint64_t seed;
  Buffer value, x, y;
  Buffer indices;  ///< begin and column are integers in its memory

  Problem(Index edge, std::uint64_t chosen)
      : n(edge), seed(chosen), value(neighbours * rows()), x(rows()), y(rows()), indices(4 * rows() + 1) {
    begin()[rows()] = static_cast<int>(neighbours * rows());
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < rows(); ++row) {
      std::array<std::pair<Index, int>, neighbours> entries;  // column, direction
      for (int to = 0; to < neighbours; ++to) entries[to] = {neighbour(row, to), to};
      std::sort(entries.begin(), entries.end());
      begin()[row] = static_cast<int>(neighbours * row);
      for (Index k = 0; k < neighbours; ++k) {
        column()[neighbours * row + k] = static_cast<int>(entries[k].first);
        value[neighbours * row + k] = value_at(row, entries[k].second);
      }
      x[row] = x_at(row);
    }
  }

  Index rows() const { return n * n * n; }
  int* begin() const { return reinterpret_cast<int*>(indices.data()); }
  int* column() const { return begin() + rows() + 1; }
  double value_at(Index row, int to) const { return Noise(seed, 1).positive(neighbours * row + to); }
  double x_at(Index row) const { return Noise(seed, 2).positive(row); }
  /// The point itself (0), and those before and behind it along each axis.
  Index neighbour(Index row, int to) const {
    Index place[] = {row % n, row / n % n, row / n / n};
    if (to > 0) place[(to - 1) / 2] += n + (to % 2 == 1 ? -1 : 1);
    return (place[2] % n * n + place[1] % n) * n + place[0] % n;
  }
  /// Against sums over the grid, without the compressed rows.
  Check check() const {
    const auto expected = [this](Index row) {
      double sum = 0;
      for (int to = 0; to < neighbours; ++to) sum += value_at(row, to) * x_at(neighbour(row, to));
      return sum;
    };
    return compare(y.data(), expected, rows(), 1e-14);
  }
};

inline std::uint64_t declared_flops(Index n) { return 2ull * neighbours * static_cast<std::uint64_t>(n * n * n); }
inline std::string row_name(Index n) { return "spmv/csr/n:" + std::to_string(n); }

inline void require_valid(Index n) {
  constexpr Index most = 674;  // columns and nonzeros are counted by 32 bits
  if (n < 3 || n > most)
    throw std::invalid_argument("--spmv=" + std::to_string(n) + ": the edge must be 3.." + std::to_string(most) +
                                ": indices have 32 bits");
}

}  // namespace roofline::spmv
