#include "apps/stencil_problem.hpp"

#include <algorithm>

namespace roofline::stencil {
namespace {

// Exactly representable values in [0.5, 2) that differ between neighbours in every direction.
double u_at(Index i, Index j, Index k) { return 0.5 + static_cast<double>((7 * i + 31 * j + 113 * k) % 1021) / 1024; }

}  // namespace

Problem::Problem(Index edge)
    : n(edge), pitch((edge + 7) / 8 * 8), u(before_first + pitch * n * n), v(before_first + pitch * n * n) {
#pragma omp parallel for schedule(static)
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) u[at(i, j, k)] = u_at(i, j, k);
}

Check check(const Problem& p) {
  const Index n = p.n;
  return compare(
      p.v.data(),
      [&](Index at) {
        const Index padded = at - Problem::before_first;
        const Index i = padded % p.pitch, j = padded / p.pitch % n, k = padded / p.pitch / n;
        if (padded < 0 || std::min({i, j, k}) == 0 || std::max({i, j, k}) >= n - 1) return 0.0;
        return u_at(i - 1, j, k) + u_at(i + 1, j, k) + u_at(i, j - 1, k) + u_at(i, j + 1, k) + u_at(i, j, k - 1) +
               u_at(i, j, k + 1) - 6 * u_at(i, j, k);
      },
      p.v.size(), 1e-14, 1.0);
}

}  // namespace roofline::stencil
