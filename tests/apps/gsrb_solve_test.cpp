#include <gtest/gtest.h>

#include <random>

#include "apps/gsrb/solve.hpp"
#include "apps/gsrb/whole_packs.hpp"
#include "tests/one_thread.hpp"

namespace roofline::gsrb::gsrb_solve_test {
namespace {

// Thousands of sweeps over 4096 cells are too little work to share, least of all on a busy machine, so tests run on one
// thread.

/// 16^3 cells, rhs = 0, a random start: the residual is that of the error.
template <class Operator>
Level random_start(Boundary boundary) {
  auto level = Level::of<Operator>(4, boundary);
  set_coefficients(level);
  std::vector<double> start(static_cast<std::size_t>(level.cells()));
  std::mt19937_64 random(1);
  for (auto& x : start) x = std::uniform_real_distribution<>(-0.5, 0.5)(random);
  level.set(Vector::x,
            [&](Index i, Index j, Index k) { return start[static_cast<std::size_t>((k * 16 + j) * 16 + i)]; });
  return level;
}

const std::vector<int> pairs{1, 2, 5, 10, 50, 200};

template <class Operator>
void expect_history(const std::vector<double>& published) {
  const testing::OneThread one;
  const auto history = residual_history<Operator, Fp>(random_start<Operator>(Boundary::periodic), pairs);
  ASSERT_EQ(history.size(), published.size());
  for (std::size_t i = 0; i < history.size(); ++i) {
    EXPECT_GT(history[i], 0.6 * published[i]) << pairs[i] << " pairs";
    EXPECT_LT(history[i], 1.6 * published[i]) << pairs[i] << " pairs";
  }
}

// Published for a random start, whose details change them by some 10 %.
TEST(GsrbSolve, SevenPointConvergesAtThePublishedRate) {
  expect_history<SevenPoint>({0.169, 0.0502, 0.0102, 0.00337, 1.40e-4, 6.2e-8});
}
TEST(GsrbSolve, FourthOrderConvergesAtThePublishedRate) {
  expect_history<FourthOrder>({0.173, 0.0566, 0.0128, 0.00378, 1.86e-4, 2.4e-7});
}

TEST(GsrbWholePacks, DenseRowsAreLinesWithoutALineToSpare) {
  for (const Index edge : {4, 8, 16, 32, 64, 128})
    for (const Index ghosts : {1, 2}) {
      const BoxShape shape(edge, ghosts, Rows::dense);
      EXPECT_EQ(shape.j_stride % cache_line, 0);
      EXPECT_GE(shape.j_stride, edge + 2 * ghosts);
      EXPECT_LT(shape.j_stride, edge + 2 * ghosts + cache_line);
    }
}

template <int first>
void expect_joined() {
  using Lane = Pack<native_lanes>;
  double numbers[2 * Lane::lanes], joined[Lane::lanes];
  for (int i = 0; i < 2 * Lane::lanes; ++i) numbers[i] = i;
  Lane::store(joined, Lane::joined<first>(Lane::load(numbers), Lane::load(numbers + Lane::lanes)));
  for (int lane = 0; lane < Lane::lanes; ++lane) EXPECT_EQ(joined[lane], first + lane) << "from lane " << first;
}

TEST(GsrbWholePacks, JoinedPacksBeginAtAnyLane) {
  expect_joined<0>();
  expect_joined<1>();
  expect_joined<native_lanes - 1>();
}

}  // namespace
}  // namespace roofline::gsrb::gsrb_solve_test
