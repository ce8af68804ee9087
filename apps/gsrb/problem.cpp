#include "apps/gsrb/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/space/noise.hpp"

namespace roofline::gsrb {
namespace {

/// x and the right-hand side before the sweep; without a pattern for any seed, 0 among them.
struct Inputs {
  std::uint64_t seed;
  double x(Index i, Index j, Index k) const { return Noise(seed, 1)((i * 1024 + j) * 1024 + k); }
  double rhs(Index i, Index j, Index k, double h2inv) const {
    return h2inv * Noise(seed, std::uint64_t{1} << 32)((i * 1024 + j) * 1024 + k);
  }
};

/// x anywhere, from its formula: outside the domain the Dirichlet boundary condition, one axis after the other.
template <class Operator>
double x_with_boundary(const Inputs& inputs, std::array<Index, 3> place, Index edge) {
  for (auto& p : place) {
    if (0 <= p && p < edge) continue;
    const auto& weights = Operator::ghost_weights[static_cast<std::size_t>(p < 0 ? -1 - p : p - edge)];
    const bool low = p < 0;
    double sum = 0;
    for (Index c = 0; c < 4; ++c) {
      p = low ? c : edge - 1 - c;
      if (const double weight = weights[static_cast<std::size_t>(c)]; weight != 0)
        sum += weight * x_with_boundary<Operator>(inputs, place, edge);
    }
    return sum;
  }
  return inputs.x(place[0], place[1], place[2]);
}

}  // namespace

template <class Operator>
Level smoothing_problem(int number, std::uint64_t seed, Rows rows) {
  const Inputs inputs{seed};
  auto level = Level::of<Operator>(number, Boundary::dirichlet, rows);
  set_coefficients(level);
  level.set(Vector::x, [=](Index i, Index j, Index k) { return inputs.x(i, j, k); });
  level.set(Vector::rhs, [&](Index i, Index j, Index k) { return inputs.rhs(i, j, k, level.h2inv()); });
  level.exchange(Vector::x);
  return level;
}

template <class Operator>
Check check_sweep(const Level& level, std::uint64_t seed) {
  const Inputs inputs{seed};
  constexpr Index radius = Operator::radius;
  const BoxShape& shape = level.shape();
  const Index edge = level.edge(), row = edge + 2 * radius;
  const double h2inv = level.h2inv();
  const auto place = [=](Index i, Index j, Index k) { return i + radius + row * (j + radius + row * (k + radius)); };
  const Buffer x(row * row * row);
#pragma omp parallel for schedule(static)
  for (Index k = -radius; k < edge + radius; ++k)
    for (Index j = -radius; j < edge + radius; ++j)
      for (Index i = -radius; i < edge + radius; ++i)
        x[place(i, j, k)] = x_with_boundary<Operator>(inputs, {i, j, k}, edge);

  const Beta beta(edge);
  const auto expected = [&](Index i, Index j, Index k) {
    const double* const centre = x.data() + place(i, j, k);
    if ((i + j + k) % 2 != 0) return *centre;
    const double ax = -h2inv * plain_operator(
                                   radius, [&](Offset o) { return centre[o[0] + row * (o[1] + row * o[2])]; },
                                   [&](int axis, Offset o) { return beta(axis, i + o[0], j + o[1], k + o[2]); });
    return *centre + level.cell(Vector::dinv, i, j, k) * (inputs.rhs(i, j, k, h2inv) - ax);
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

template Level smoothing_problem<FourthOrder>(int, std::uint64_t, Rows);
template Level smoothing_problem<SevenPoint>(int, std::uint64_t, Rows);
template Check check_sweep<FourthOrder>(const Level&, std::uint64_t);
template Check check_sweep<SevenPoint>(const Level&, std::uint64_t);

}  // namespace roofline::gsrb
