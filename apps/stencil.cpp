#include "apps/stencil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "bench/machine/machine.hpp"
#include "bench/suite.hpp"

namespace roofline::stencil {
namespace {

// Exactly representable values in [0.5, 2) that differ between neighbours in every direction.
double u_at(Index i, Index j, Index k) { return 0.5 + static_cast<double>((7 * i + 31 * j + 113 * k) % 1021) / 1024; }

/// A cube of edge n, boundary included; v is written in the interior only. Rows are padded so that the first interior
/// point of each begins a cache line: of seven loads five are aligned then, without the padding hardly any (a sixth of
/// the time at 480^3, measured).
struct Problem {
  Index n, pitch;
  Buffer u, v;

  explicit Problem(Index edge)
      : n(edge), pitch((edge + 7) / 8 * 8), u(before_first + pitch * n * n), v(before_first + pitch * n * n) {
#pragma omp parallel for schedule(static)
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) u[at(i, j, k)] = u_at(i, j, k);
  }

  Index at(Index i, Index j, Index k) const { return before_first + (k * n + j) * pitch + i; }

  static constexpr Index before_first = 7;  // i = 1 is at a multiple of 8 doubles
};

template <class Space, class Body>
void for_each_interior(Space space, const Problem& p, Body body) {
  const Index n = p.n, row_length = n - 2, pitch = p.pitch, first = p.at(1, 1, 1);
  space.parallel(n - 2, [=](Index plane) mutable {
    for (Index j = 0; j < n - 2; ++j) {
      const Index row = first + (plane * n + j) * pitch;
      space.lanes(row, row + row_length, body);
    }
  });
}

/// Every interior point against the sum written out from the initial values; the boundary and the padding must still be
/// zero.
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

template <class Body>
Workload make(Index n, std::uint64_t flops) {
  auto problem = std::make_shared<Problem>(n);
  Workload work;
  set_launch<true>(work, [problem](auto space) {
    for_each_interior(space, *problem,
                      Body{problem->u.view(), problem->v.view(), problem->pitch, problem->pitch * problem->n});
  });
  work.check = [problem] { return check(*problem); };
  const auto interior = static_cast<std::uint64_t>(n - 2);
  work.declared_flops = flops * interior * interior * interior;
  return work;
}

Family describe() {
  return {
      .name = "stencil",
      .flops = "7 (v = -6 u + sum of six) or 8 (v = c0 u + c1 sum) per interior point",
      .bytes = "64 B at L1 (7 loads, 1 store); 24 B compulsory with write-allocate",
      .teaches = "caches move a point right: intensity 0.11 at L1, 0.29 at DRAM, and it is memory-bound all the same",
      .description = R"(7-point constant-coefficient stencil on a cube, out of place, in the two published forms.
The caches turn 8 references per point into one read, one write-allocate and one write-back as long as
three planes fit (layer condition).
Look at: L1 and DRAM intensities far apart (reuse), both points on or near the DRAM roof.)",
      .size_names = "n",
      .default_sizes = {0},
      .quick_sizes = {}};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  // Two arrays, together at least four last-level caches, in steps of 32 interior points, so that rows are whole packs;
  // three planes still fit one core's share.
  const auto llc = std::max<std::uint64_t>(suite.machine().largest_llc, 16 << 20);
  const auto edge = std::cbrt(static_cast<double>(llc) * 4 / 16);
  const Index n = sizes[0] == 0 ? (std::max<Index>(256, static_cast<Index>(edge)) + 31) / 32 * 32 + 2 : sizes[0];
  if (n < 3) throw std::invalid_argument(fmt::format("--stencil={}: the edge must be 3 or more", n));
  require_memory(16.0 * std::pow(static_cast<double>(n), 3), fmt::format("stencil of {0}^3 points", n));
  suite.add({.name = fmt::format("stencil/7pt/n:{}/flops:7", n),
             .family = "stencil",
             .selection = Selection::quick,
             .make = [n] { return make<SevenFlops>(n, 7); },
             .about = "v = -6 u + sum of the six neighbours"});
  suite.add({.name = fmt::format("stencil/7pt/n:{}/flops:8", n),
             .family = "stencil",
             .selection = Selection::standard,
             .make = [n] { return make<EightFlops>(n, 8); },
             .about = "v = c0 u + c1 (sum of the six neighbours)"});
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::stencil
