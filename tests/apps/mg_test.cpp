#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apps/mg/problem.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/openmp.hpp"
#include "tests/one_thread.hpp"
#include "tests/variants.hpp"

namespace roofline::mg::mg_test {
namespace {

// Small levels are too little work to share, least of all on a busy machine.
const auto run = [](const auto& pass) { execute(OpenMp<true>{}, pass); };

/// The largest of value(i, j, k) over the cells of a level.
template <class Value>
double largest(Index n, Value value) {
  double most = 0;
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) most = std::max(most, std::abs(value(i, j, k)));
  return most;
}

double cell(const Grid& grid, const double* vector, Index i, Index j, Index k) {
  return vector[i + j * grid.j + k * grid.k];
}

double residual(const std::vector<Grid>& grids) {
  const Grid& grid = grids.back();
  run(Residual(grid));
  return largest(grid.n, [&](Index i, Index j, Index k) { return cell(grid, grid.temp, i, j, k); });
}

double error(const Problem& problem, const std::vector<Grid>& grids) {
  const Grid& grid = grids.back();
  return largest(grid.n, [&](Index i, Index j, Index k) {
    return cell(grid, grid.x, i, j, k) - problem.solution(grid.n, i, j, k);
  });
}

/// Accesses of 8 B.
struct Accesses {
  std::uint64_t loads = 0, stores = 0;
  void add(std::uint64_t more_loads, std::uint64_t more_stores) { loads += more_loads, stores += more_stores; }
  Accesses operator+(const Accesses& other) const { return {loads + other.loads, stores + other.stores}; }
};

std::uint64_t cubed(std::uint64_t n) { return n * n * n; }

/// Of n red-black pairs. An updated cell reads 7 x, 6 beta, rhs and dinv, another one x; each ghost is a copy.
Accesses of_pairs(std::uint64_t pairs, std::uint64_t n) {
  const auto cells = cubed(n), ghosts = cubed(n + 2) - cells;
  return {2 * pairs * (8 * cells + ghosts), 2 * pairs * (cells + ghosts)};
}

Accesses of_zero(std::uint64_t n) { return {cubed(n + 2) - cubed(n), cubed(n + 2)}; }

Accesses of_v_cycle(int level) {
  const auto n = std::uint64_t{1} << level, cells = cubed(n), ghosts = cubed(n + 2) - cells;
  if (level == 1) return of_pairs(4, n);
  auto all = of_pairs(4, n) + of_zero(n / 2) + of_v_cycle(level - 1);
  all.add(14 * cells, cells);                           // the residual: 7 x, 6 beta, rhs
  all.add(cells, cells / 8);                            // its restriction
  all.add(cells + cells / 2 + ghosts, cells + ghosts);  // the correction: x, and a coarse cell for two
  return all;
}

Accesses of_f_cycle(int level) {
  Accesses all = of_zero(2) + of_v_cycle(1);
  for (int number = 2; number <= level; ++number) {
    const auto n = std::uint64_t{1} << number, cells = cubed(n), ghosts = cubed(n + 2) - cells;
    all.add(cells, cells / 8);
    all.add(8 * cells + ghosts, cells + ghosts);
    all = all + of_v_cycle(number);
  }
  return all;
}

class MgLevels : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(FiveLevels, MgLevels, ::testing::Range(1, 6));

TEST_P(MgLevels, CountsAreThoseOfThePassesOfACycle) {
  const int level = GetParam();
  double v = 4 * 21 * 8, f = v;  // FLOPs
  for (double cells = 64; cells <= std::pow(8, level); cells *= 8) v += 105 * cells, f += 12 * cells + v;
  for (const auto& [cycle, flops, accesses] :
       {std::tuple{Cycle::v, v, of_zero(std::uint64_t{1} << level) + of_v_cycle(level)},
        {Cycle::f, f, of_f_cycle(level)}}) {
    const auto name = row_name(cycle, level);
    const auto work = testing::variant("mg", {level}, name).make();
    const auto counts = count(work.trace, nullptr, true);
    EXPECT_TRUE(work.check().ok) << name << ", counted values: " << work.check().message;
    EXPECT_EQ(counts.operations.flops(), work.declared_flops) << name;
    EXPECT_EQ(static_cast<double>(work.declared_flops), flops) << name;
    EXPECT_EQ(counts.at(MemoryLevel::L1)->read, 8.0 * static_cast<double>(accesses.loads)) << name;
    EXPECT_EQ(counts.at(MemoryLevel::L1)->written, 8.0 * static_cast<double>(accesses.stores)) << name;
  }
}

// A sweep reads 6 vectors and writes one with write-allocate, the residual does without dinv. Restriction and
// correction pass over one vector, and each level below has an eighth.
TEST(Mg, ALevelThatNoCacheHoldsMovesItsVectorsOncePerPass) {
  CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 48 << 10, .ways = 12},
                         {.level = MemoryLevel::L2, .size = 256 << 10, .ways = 16}});
  const auto work = testing::variant("mg", {5}, row_name(Cycle::v, 5)).make();
  const double moved = count(work.trace, &caches, true).at(MemoryLevel::DRAM)->total();
  const double per_cell = 8 * 64 + 56 + (8 + 2) + (16 + 1) + 16;
  EXPECT_NEAR(moved / (per_cell * 32 * 32 * 32 * 8 / 7), 1.0, 0.15);
}

// Windows of planes stand for all of them where a level is large, here by a small cache.
TEST(Mg, SampledFlopsAreExactAndBytesNearlySo) {
  CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 16 << 10, .ways = 8}}), whole = caches;
  const auto work = testing::variant("mg", {5}, row_name(Cycle::f, 5)).make();
  const auto counts = count(work.trace, &caches), exact = count(work.trace, &whole, true);
  EXPECT_NE(counts.traffic_note.find("chunks after warm-up"), std::string::npos) << counts.traffic_note;
  EXPECT_EQ(counts.operations.flops(), work.declared_flops);
  for (const auto level : {MemoryLevel::L1, MemoryLevel::DRAM})
    EXPECT_NEAR(counts.at(level)->total() / exact.at(level)->total(), 1, 0.03) << name(level);
}

// The rates of this operator, smoother and piecewise constant correction, on levels 2 to 5.
TEST_P(MgLevels, AVCycleDividesTheResidualByTenOrMore) {
  const testing::OneThread one;
  const Problem problem(GetParam(), 0);
  const auto grids = problem.grids();
  launch(grids, Cycle::v, run);
  for (int cycle = 0; cycle < 3; ++cycle) {
    const double before = residual(grids);
    v_cycle(std::span<const Grid>(grids), run);
    EXPECT_LT(residual(grids), 0.11 * before + 1e-12) << cycle;
  }
}

TEST(Mg, OneFCycleHasTheErrorOfTheDiscretisationWhichFallsByFourPerLevel) {
  const testing::OneThread one;
  double below = 0;
  for (const Index level : {3, 4, 5}) {
    const Problem problem(level, 0);
    const auto grids = problem.grids();
    launch(grids, Cycle::f, run);
    const double after_one = error(problem, grids);
    if (level > 3) {
      EXPECT_NEAR(below / after_one, 4, 0.5) << level;
    }
    below = after_one;
    for (int cycle = 0; cycle < 10; ++cycle) v_cycle(std::span<const Grid>(grids), run);
    EXPECT_NEAR(after_one, error(problem, grids), 0.2 * after_one) << level;
  }
}

// HPGMG asks its bottom solver for a thousandth of the residual.
TEST(Mg, TheBottomSolverLeavesLessThanAThousandth) {
  const Problem problem(1, 0);
  const auto grids = problem.grids();
  run(Zero(grids.back()));
  const double before = residual(grids);
  v_cycle(std::span<const Grid>(grids), run);
  EXPECT_LT(residual(grids), 1e-3 * before);
}

TEST(Mg, AnotherSeedIsAnotherProblem) {
  const Problem fixed(2, 0), one(2, 1), two(2, 2);
  EXPECT_NE(fixed.source(4, 1, 2, 3), one.source(4, 1, 2, 3));
  EXPECT_NE(one.source(4, 1, 2, 3), two.source(4, 1, 2, 3));
}

}  // namespace
}  // namespace roofline::mg::mg_test
