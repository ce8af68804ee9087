#include "apps/gsrb_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofline::gsrb {
namespace {

/// A value in [-1, 1) without a pattern (the mixing steps of MurmurHash3).
double noise(Index i, Index j, Index k, std::uint64_t seed) {
  auto bits = static_cast<std::uint64_t>((i * 1024 + j) * 1024 + k) + seed;
  bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccd;
  bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53;
  return static_cast<double>(static_cast<std::int64_t>(bits ^ (bits >> 33))) * 0x1p-63;
}

double initial_x(Index i, Index j, Index k) { return noise(i, j, k, 1); }
double initial_rhs(Index i, Index j, Index k, double h2inv) { return h2inv * noise(i, j, k, std::uint64_t{1} << 32); }

/// x anywhere, from its formula: outside the domain the Dirichlet boundary condition, one axis after the other.
template <class Operator>
double x_with_boundary(std::array<Index, 3> place, Index edge) {
  for (auto& p : place) {
    if (0 <= p && p < edge) continue;
    const auto& weights = Operator::ghost_weights[static_cast<std::size_t>(p < 0 ? -1 - p : p - edge)];
    const bool low = p < 0;
    double sum = 0;
    for (Index c = 0; c < 4; ++c) {
      p = low ? c : edge - 1 - c;
      if (const double weight = weights[static_cast<std::size_t>(c)]; weight != 0)
        sum += weight * x_with_boundary<Operator>(place, edge);
    }
    return sum;
  }
  return initial_x(place[0], place[1], place[2]);
}

}  // namespace

template <class Operator>
Level smoothing_problem(int number) {
  auto level = Level::of<Operator>(number, Boundary::dirichlet);
  set_coefficients(level);
  level.set(Vector::x, initial_x);
  level.set(Vector::rhs, [&](Index i, Index j, Index k) { return initial_rhs(i, j, k, level.h2inv()); });
  level.exchange(Vector::x);
  return level;
}

template <class Operator>
Check check_sweep(const Level& level) {
  constexpr Index radius = Operator::radius;
  const BoxShape& shape = level.shape();
  const Index edge = level.edge(), row = edge + 2 * radius;
  const double h2inv = level.h2inv();
  const auto place = [=](Index i, Index j, Index k) { return i + radius + row * (j + radius + row * (k + radius)); };
  const Buffer x(row * row * row);
#pragma omp parallel for schedule(static)
  for (Index k = -radius; k < edge + radius; ++k)
    for (Index j = -radius; j < edge + radius; ++j)
      for (Index i = -radius; i < edge + radius; ++i) x[place(i, j, k)] = x_with_boundary<Operator>({i, j, k}, edge);

  const Beta beta(edge);
  const auto expected = [&](Index i, Index j, Index k) {
    const double* const centre = x.data() + place(i, j, k);
    if ((i + j + k) % 2 != 0) return *centre;
    const double ax = -h2inv * plain_operator(
                                   radius, [&](Offset o) { return centre[o[0] + row * (o[1] + row * o[2])]; },
                                   [&](int axis, Offset o) { return beta(axis, i + o[0], j + o[1], k + o[2]); });
    return *centre + level.cell(Vector::dinv, i, j, k) * (initial_rhs(i, j, k, h2inv) - ax);
  };
  for (Index box = 0; box < boxes; ++box) {
    auto result = compare(
        level.box(Vector::temp, box),
        [&](Index at) {
          const Index i = at % shape.j_stride - shape.ghosts, j = at % shape.k_stride / shape.j_stride - shape.ghosts,
                      k = at / shape.k_stride - shape.ghosts;
          if (std::min({i, j, k}) < 0 || std::max({i, j, k}) >= shape.n) return 0.0;
          return expected(i + box % 2 * shape.n, j + box / 2 % 2 * shape.n, k + box / 4 * shape.n);
        },
        shape.volume, 1e-12, 1.0);
    if (!result.ok) {
      result.message = fmt::format("box {}: {}", box, result.message);
      return result;
    }
  }
  return {};
}

template Level smoothing_problem<FourthOrder>(int);
template Level smoothing_problem<SevenPoint>(int);
template Check check_sweep<FourthOrder>(const Level&);
template Check check_sweep<SevenPoint>(const Level&);

}  // namespace roofline::gsrb
