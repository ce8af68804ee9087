#include "apps/stencil/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/space/noise.hpp"

namespace roofline::stencil {
namespace {

// Exactly representable values in [0.5, 1.5) that differ between neighbours in every direction. Not a linear function:
// its result would be 0 nearly everywhere, which says little of the kernel, and some CPUs stream zeros out faster.
double u_at(std::uint64_t seed, Index i, Index j, Index k) {
  if (seed != 0) return Noise(seed, 0).positive((k << 40) + (j << 20) + i);
  return 0.5 + static_cast<double>((7 * i * i + 31 * j * j + 113 * k * k) % 1021) / 1024;
}

}  // namespace

Problem::Problem(Index edge, std::uint64_t chosen) : Cube(edge), seed(chosen), u(elements()), v(elements()) {
#pragma omp parallel for schedule(static)
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) u[at(i, j, k)] = u_at(seed, i, j, k);
}

Check check(const Problem& p) {
  const Index n = p.n;
  return compare(
      p.v.data(),
      [&](Index at) {
        const Index padded = at - Problem::before_first;
        const Index i = padded % p.pitch, j = padded / p.pitch % n, k = padded / p.pitch / n;
        if (padded < 0 || std::min({i, j, k}) == 0 || std::max({i, j, k}) >= n - 1) return 0.0;
        const auto u = [&](Index x, Index y, Index z) { return u_at(p.seed, x, y, z); };
        return u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) + u(i, j + 1, k) + u(i, j, k - 1) + u(i, j, k + 1) -
               6 * u(i, j, k);
      },
      p.v.size(), 1e-14, 1.0);
}

std::string row_name(Index n, int flops) {
  return fmt::format("stencil/7pt/n:{}", n) + (flops == 7 ? "" : fmt::format("/flops:{}", flops));
}

std::uint64_t declared_flops(Index n, int flops) {
  const auto interior = static_cast<std::uint64_t>(n - 2);
  return static_cast<std::uint64_t>(flops) * interior * interior * interior;
}

}  // namespace roofline::stencil
