#include "apps/gsrb/gsrb.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/gsrb/solve.hpp"
#include "tests/bits.hpp"
#include "tests/command_line.hpp"

namespace roofline::gsrb::gsrb_test {
namespace {

/// A level with the coefficients of section 7 of the specification and x, rhs of golden.json.
template <class Operator>
Level make_level(int number, Boundary boundary) {
  auto level = Level::of<Operator>(number, boundary);
  set_coefficients(level);
  level.set(Vector::x,
            [](Index i, Index j, Index k) { return std::sin(0.1 * static_cast<double>(i + 2 * j + 3 * k)); });
  level.set(Vector::rhs,
            [](Index i, Index j, Index k) { return std::cos(0.2 * static_cast<double>(3 * i + 2 * j + k)); });
  level.exchange(Vector::x);
  return level;
}

/// All interior cells, i fastest.
std::vector<double> cells_of(const Level& level, Vector vector) {
  std::vector<double> cells;
  for (Index k = 0; k < level.edge(); ++k)
    for (Index j = 0; j < level.edge(); ++j)
      for (Index i = 0; i < level.edge(); ++i) cells.push_back(level.cell(vector, i, j, k));
  return cells;
}

template <class Operator, class Method, bool Fma>
std::vector<double> after_sweep(const Level& level, Index colour) {
  level.set(Vector::temp, [](Index, Index, Index) { return std::numeric_limits<double>::quiet_NaN(); });
  sweep<Operator, Method>(OpenMp<Fma>{}, level, Vector::x, Vector::temp, colour);
  return cells_of(level, Vector::temp);
}

template <class Operator>
class GsrbOperator : public ::testing::Test {};
using Operators = ::testing::Types<SevenPoint, FourthOrder>;
TYPED_TEST_SUITE(GsrbOperator, Operators);

TYPED_TEST(GsrbOperator, MatchesTheGoldenVectors) {
  const auto golden = testing::json_of(ROOFLINE_TEST_DATA "/golden.json").at("gsrb_small");
  const auto& expected = golden.at(std::string(TypeParam::name));
  const double tolerance = golden.at("rtol");
  const auto expect = [&](double got, const char* key) {
    const double want = expected.at(key);
    EXPECT_NEAR(got, want, tolerance * std::abs(want)) << TypeParam::name << ' ' << key;
  };
  const auto sum = [](const std::vector<double>& cells) {
    double total = 0;
    for (const double c : cells) total += c;
    return total;
  };
  const auto level = make_level<TypeParam>(3, Boundary::periodic);
  sweep<TypeParam, Apply>(OpenMp<false>{}, level, Vector::x, Vector::temp, 0);
  expect(level.cell(Vector::temp, 3, 2, 1), "Ax_i3_j2_k1");
  expect(sum(after_sweep<TypeParam, Fp, false>(level, 0)), "sum_after_red");
  level.exchange(Vector::temp);
  sweep<TypeParam, Fp>(OpenMp<false>{}, level, Vector::temp, Vector::x, 1);
  const auto x = cells_of(level, Vector::x);
  expect(sum(x), "sum_after_red_black");
  double squares = 0;
  for (const double c : x) squares += c * c;
  expect(std::sqrt(squares), "l2_after");
}

// Boxes of 4 to 16 cells: single elements, packs, and for STRIDE2 both. Contracted or not, a multiplication by 1.0 is
// exact, so the three methods agree in all bits.
TYPED_TEST(GsrbOperator, AllMethodsGiveTheSameBits) {
  for (const int number : {3, 4, 5})
    for (const Index colour : {0, 1}) {
      const auto level = make_level<TypeParam>(number, Boundary::dirichlet);
      const auto expect_same = [&]<bool Fma>(std::bool_constant<Fma>) {
        const auto fp = after_sweep<TypeParam, Fp, Fma>(level, colour);
        EXPECT_TRUE(testing::same_bits(fp, (after_sweep<TypeParam, Branch, Fma>(level, colour))));
        EXPECT_TRUE(testing::same_bits(fp, (after_sweep<TypeParam, Stride2, Fma>(level, colour))));
        return fp;
      };
      const auto apart = expect_same(std::false_type()), contracted = expect_same(std::true_type());
      EXPECT_FALSE(testing::same_bits(apart, contracted)) << "the contraction modes are the same code";
      for (std::size_t i = 0; i < apart.size(); ++i) ASSERT_NEAR(apart[i], contracted[i], 1e-13);
    }
}

TYPED_TEST(GsrbOperator, UpdatesOneColourAndCopiesTheOther) {
  const auto level = make_level<TypeParam>(4, Boundary::dirichlet);
  for (const Index colour : {0, 1}) {
    const auto after = after_sweep<TypeParam, Stride2, true>(level, colour);
    for (Index k = 0, at = 0; k < 16; ++k)
      for (Index j = 0; j < 16; ++j)
        for (Index i = 0; i < 16; ++i, ++at) {
          const bool updated = (i + j + k + colour) % 2 == 0;
          ASSERT_EQ(after[static_cast<std::size_t>(at)] == level.cell(Vector::x, i, j, k), !updated)
              << i << ' ' << j << ' ' << k;
        }
  }
}

TYPED_TEST(GsrbOperator, ConstantsAreInTheNullSpace) {
  const auto level = make_level<TypeParam>(4, Boundary::periodic);
  level.set(Vector::x, [](Index, Index, Index) { return 0.7; });
  level.exchange(Vector::x);
  sweep<TypeParam, Apply>(OpenMp<true>{}, level, Vector::x, Vector::temp, 0);
  for (const double ax : cells_of(level, Vector::temp)) ASSERT_EQ(ax, 0.0);
}

TYPED_TEST(GsrbOperator, DinvIsTheInverseDiagonalBoundaryIncluded) {
  for (const auto boundary : {Boundary::periodic, Boundary::dirichlet}) {
    const auto level = make_level<TypeParam>(3, boundary);
    // Every fourth cell at a time: an operator, ghosts included, reads three cells away at most.
    constexpr Index apart = 4;
    for (Index first = 0; first < apart * apart * apart; ++first) {
      const Index i0 = first % apart, j0 = first / apart % apart, k0 = first / (apart * apart);
      const auto is_one = [=](Index i, Index j, Index k) {
        return i % apart == i0 && j % apart == j0 && k % apart == k0;
      };
      level.set(Vector::x, [=](Index i, Index j, Index k) { return is_one(i, j, k) ? 1.0 : 0.0; });
      level.exchange(Vector::x);
      sweep<TypeParam, Apply>(OpenMp<false>{}, level, Vector::x, Vector::temp, 0);
      for (Index i = i0; i < 8; i += apart)
        for (Index j = j0; j < 8; j += apart)
          for (Index k = k0; k < 8; k += apart)
            ASSERT_NEAR(level.cell(Vector::temp, i, j, k) * level.cell(Vector::dinv, i, j, k), 1.0, 1e-13)
                << i << ' ' << j << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace roofline::gsrb::gsrb_test
