#include "apps/mg/problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench/space/noise.hpp"

namespace roofline::mg {
namespace {

constexpr Index vectors = 6;  // besides x

/// A vector is followed by nine lines, so that the same cell of different vectors is not in the same cache set.
Index distance(const gsrb::BoxShape& shape) { return shape.volume + 9 * gsrb::cache_line; }

/// So that rows begin at cache lines.
Index lead(const gsrb::BoxShape& shape) {
  return gsrb::round_up(shape.at(0, 0, 0), gsrb::cache_line) - shape.at(0, 0, 0);
}

/// A level as the definitions have it, for verification.
struct Plain {
  Index n;
  gsrb::Beta beta;
  std::vector<double> x, rhs;

  explicit Plain(Index edge) : n(edge), beta(edge), x(static_cast<std::size_t>(n * n * n)), rhs(x) {}

  bool outside(Index p) const { return p < 0 || p >= n; }
  std::size_t place(Index i, Index j, Index k) const { return static_cast<std::size_t>(i + n * (j + n * k)); }
  /// x anywhere: its image with the other sign beyond a face.
  double value(Index i, Index j, Index k) const {
    double sign = 1;
    for (Index* const p : {&i, &j, &k})
      if (outside(*p)) {
        sign = -sign;
        *p = *p < 0 ? 0 : n - 1;
      }
    return sign * x[place(i, j, k)];
  }
  double h2inv() const { return static_cast<double>(n * n); }
  double residual(Index i, Index j, Index k) const {
    const double sum = gsrb::plain_operator(
        1, [&](gsrb::Offset o) { return value(i + o[0], j + o[1], k + o[2]); },
        [&](int axis, gsrb::Offset o) { return beta(axis, i + o[0], j + o[1], k + o[2]); });
    return rhs[place(i, j, k)] + h2inv() * sum;
  }
  /// The diagonal of A. Each face counts once, a face of the boundary twice.
  double diagonal(Index i, Index j, Index k) const {
    const Index at[] = {i, j, k};
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (const Index side : {0, 1}) {
        const Index up[] = {axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0};
        const bool boundary = outside(at[axis] + 2 * side - 1);
        sum += (boundary ? 2 : 1) * beta(axis, i + up[0], j + up[1], k + up[2]);
      }
    return h2inv() * sum;
  }
  template <class Visit>
  void for_each_cell(Visit visit) const {
#pragma omp parallel for schedule(static)
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) visit(i, j, k);
  }
  void smooth(int pairs) {
    for (int sweep = 0; sweep < 2 * pairs; ++sweep)
      for_each_cell([&](Index i, Index j, Index k) {
        if ((i + j + k + sweep) % 2 == 0) x[place(i, j, k)] += residual(i, j, k) / diagonal(i, j, k);
      });
  }
};

/// rhs of the coarse level: means of eight values(i, j, k) of the fine one.
template <class Value>
void restrict_to(Plain& coarse, Value value) {
  coarse.for_each_cell([&](Index i, Index j, Index k) {
    double sum = 0;
    for (Index child = 0; child < 8; ++child) sum += value(2 * i + child % 2, 2 * j + child / 2 % 2, 2 * k + child / 4);
    coarse.rhs[coarse.place(i, j, k)] = sum / 8;
  });
}

void plain_v_cycle(std::span<Plain> levels) {
  auto& fine = levels.back();
  if (levels.size() == 1) return fine.smooth(bottom_smooths);
  auto& coarse = levels[levels.size() - 2];
  fine.smooth(smooths);
  restrict_to(coarse, [&](Index i, Index j, Index k) { return fine.residual(i, j, k); });
  std::fill(coarse.x.begin(), coarse.x.end(), 0.0);
  plain_v_cycle(levels.first(levels.size() - 1));
  fine.for_each_cell(
      [&](Index i, Index j, Index k) { fine.x[fine.place(i, j, k)] += coarse.value(i / 2, j / 2, k / 2); });
  fine.smooth(smooths);
}

/// Linear along each axis: three quarters of the coarse cell and a quarter of the next one.
double interpolated(const Plain& coarse, Index i, Index j, Index k) {
  const auto next = [](Index p) { return p / 2 + (p % 2 == 0 ? -1 : 1); };
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const bool far_i = corner % 2 != 0, far_j = corner / 2 % 2 != 0, far_k = corner / 4 != 0;
    sum += (far_i ? 0.25 : 0.75) * (far_j ? 0.25 : 0.75) * (far_k ? 0.25 : 0.75) *
           coarse.value(far_i ? next(i) : i / 2, far_j ? next(j) : j / 2, far_k ? next(k) : k / 2);
  }
  return sum;
}

void plain_f_cycle(std::span<Plain> levels) {
  for (std::size_t level = levels.size() - 1; level > 0; --level)
    restrict_to(levels[level - 1],
                [&, &fine = levels[level]](Index i, Index j, Index k) { return fine.rhs[fine.place(i, j, k)]; });
  plain_v_cycle(levels.first(1));
  for (std::size_t level = 1; level < levels.size(); ++level) {
    auto& fine = levels[level];
    fine.for_each_cell(
        [&](Index i, Index j, Index k) { fine.x[fine.place(i, j, k)] = interpolated(levels[level - 1], i, j, k); });
    plain_v_cycle(levels.first(level + 1));
  }
}

/// sin(m pi p) and cos(m pi p) at the centre of cell `at` of n.
struct Wave {
  double sine, cosine;
  Wave(int m, Index at, Index n)
      : sine(std::sin(std::numbers::pi * m * (static_cast<double>(at) + 0.5) / static_cast<double>(n))),
        cosine(std::cos(std::numbers::pi * m * (static_cast<double>(at) + 0.5) / static_cast<double>(n))) {}
};

double amplitude(std::uint64_t seed) { return seed == 0 ? 1.0 : Noise(seed, 1).positive(0); }

}  // namespace

Level::Level(Index n)
    : shape(n, 1, gsrb::Rows::dense), x(lead(shape) + shape.volume), others(lead(shape) + vectors * distance(shape)) {}

Grid Level::grid(double* x_memory, double* others_memory) const {
  const Index origin = lead(shape) + shape.at(0, 0, 0);
  const auto vector = [&](Index number) { return others_memory + origin + number * distance(shape); };
  return {.n = shape.n,
          .j = shape.j_stride,
          .k = shape.k_stride,
          .x = x_memory + origin,
          .temp = vector(0),
          .rhs = vector(1),
          .beta_i = vector(2),
          .beta_j = vector(3),
          .beta_k = vector(4),
          .dinv = vector(5)};
}

Problem::Problem(Index level, std::uint64_t chosen) : seed(chosen) {
  for (Index number = lowest_level; number <= level; ++number) {
    const Index n = Index{1} << number;
    auto& added = levels.emplace_back(n);
    const auto grid = added.grid(added.x.data(), added.others.data());
    const Plain plain(n);
    double* const beta[] = {grid.beta_i, grid.beta_j, grid.beta_k};
#pragma omp parallel for schedule(static)
    for (Index k = 0; k <= n; ++k)
      for (Index j = 0; j <= n; ++j)
        for (Index i = 0; i <= n; ++i) {
          const Index at = i + j * grid.j + k * grid.k;
          for (int axis = 0; axis < 3; ++axis) beta[axis][at] = plain.beta(axis, i, j, k);
          if (i == n || j == n || k == n) continue;
          grid.dinv[at] = 1 / plain.diagonal(i, j, k);
          if (number == level) grid.rhs[at] = source(n, i, j, k);
        }
  }
}

double Problem::solution(Index n, Index i, Index j, Index k) const {
  return amplitude(seed) * Wave(1, i, n).sine * Wave(2, j, n).sine * Wave(3, k, n).sine;
}

double Problem::source(Index n, Index i, Index j, Index k) const {
  // -div(beta grad u) = -beta div grad u - grad beta grad u, with beta = 1 + 1/4 sin 2 pi x sin 2 pi y sin 2 pi z.
  const Wave u_x(1, i, n), u_y(2, j, n), u_z(3, k, n), b_x(2, i, n), b_y(2, j, n), b_z(2, k, n);
  const double beta = 1 + 0.25 * b_x.sine * b_y.sine * b_z.sine;
  const double gradients = b_x.cosine * b_y.sine * b_z.sine * 1 * u_x.cosine * u_y.sine * u_z.sine +
                           b_x.sine * b_y.cosine * b_z.sine * 2 * u_x.sine * u_y.cosine * u_z.sine +
                           b_x.sine * b_y.sine * b_z.cosine * 3 * u_x.sine * u_y.sine * u_z.cosine;
  const double squared = std::numbers::pi * std::numbers::pi;
  return (1 + 4 + 9) * squared * beta * solution(n, i, j, k) - amplitude(seed) * 0.25 * 2 * squared * gradients;
}

std::vector<Grid> Problem::grids() const {
  std::vector<Grid> all;
  for (const auto& level : levels) all.push_back(level.grid(level.x.data(), level.others.data()));
  return all;
}

Check Problem::check(Cycle cycle) const {
  std::vector<Plain> plain;
  for (const auto& level : levels) plain.emplace_back(level.shape.n);
  auto& finest = plain.back();
  finest.for_each_cell(
      [&](Index i, Index j, Index k) { finest.rhs[finest.place(i, j, k)] = source(finest.n, i, j, k); });
  if (cycle == Cycle::v)
    plain_v_cycle(plain);
  else
    plain_f_cycle(plain);
  for (std::size_t number = 0; number < levels.size(); ++number) {
    const auto& shape = levels[number].shape;
    const auto& expected = plain[number];
    const auto grid = grids()[number];
    const auto cell = [&](Index at, bool ghosts, auto value) {
      const Index i = at % shape.j_stride - 1, j = at % shape.k_stride / shape.j_stride - 1,
                  k = at / shape.k_stride - 1;
      const Index least = ghosts ? -1 : 0, most = expected.n - 1 - least;
      return std::min({i, j, k}) < least || std::max({i, j, k}) > most ? 0.0 : value(i, j, k);
    };
    const Index origin = shape.at(0, 0, 0);
    auto result = compare(
        grid.x - origin,
        [&](Index at) { return cell(at, true, [&](Index i, Index j, Index k) { return expected.value(i, j, k); }); },
        shape.volume, 1e-11, 1.0);
    if (result.ok)
      result = compare(
          grid.rhs - origin,
          [&](Index at) {
            return cell(at, false, [&](Index i, Index j, Index k) { return expected.rhs[expected.place(i, j, k)]; });
          },
          shape.volume, 1e-11, expected.h2inv());
    if (!result.ok) {
      result.message = fmt::format("{}^3 cells: {}", expected.n, result.message);
      return result;
    }
  }
  return {};
}

std::uint64_t declared_flops(Cycle cycle, Index level) {
  constexpr std::uint64_t pair = 21;
  std::uint64_t cells = 8, v = bottom_smooths * pair * cells, f = v;
  for (Index number = lowest_level + 1; number <= level; ++number) {
    cells *= 8;
    v += (2 * smooths * pair + 19 + 1 + 1) * cells;
    f += (1 + 11) * cells + v;
  }
  return cycle == Cycle::v ? v : f;
}

std::string row_name(Cycle cycle, Index level) {
  return fmt::format("mg/{}_cycle/level:{}", cycle == Cycle::v ? 'v' : 'f', level);
}

void require_level(Index level, std::string_view what) {
  if (level < lowest_level || level > highest_level)
    throw std::invalid_argument(fmt::format("{}: the level must be one of {}..{} (2^level cells along each edge)", what,
                                            lowest_level, highest_level));
  const gsrb::BoxShape shape(Index{1} << level, 1, gsrb::Rows::dense);
  require_memory(8.0 / 7 * (vectors + 1) * sizeof(double) * static_cast<double>(distance(shape)), what);
}

}  // namespace roofline::mg
