#include "apps/gsrb/gsrb.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/gsrb/solve.hpp"
#include "bench/simulator/sampler.hpp"
#include "tests/variants.hpp"

namespace roofline::gsrb {
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

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

template <class Operator, class Method, bool Fma>
std::vector<double> after_sweep(const Level& level, Index colour) {
  level.set(Vector::temp, [](Index, Index, Index) { return std::numeric_limits<double>::quiet_NaN(); });
  sweep<Operator, Method>(OpenMp<Fma>{}, level, Vector::x, Vector::temp, colour);
  return cells_of(level, Vector::temp);
}

template <class Operator, class Method, bool Fma>
std::vector<double> after_counted_sweep(const Level& level, Index colour) {
  count(
      [&](Sampler& sampler) {
        sweep<Operator, Method>(Counting<Fma>{sampler}, level, Vector::x, Vector::temp, colour);
      },
      nullptr, true);
  return cells_of(level, Vector::temp);
}

template <class Operator>
class GsrbOperator : public ::testing::Test {};
using Operators = ::testing::Types<SevenPoint, FourthOrder>;
TYPED_TEST_SUITE(GsrbOperator, Operators);

TYPED_TEST(GsrbOperator, MatchesTheGoldenVectors) {
  std::ifstream file(ROOFLINE_TEST_DATA "/golden.json");
  const auto golden = nlohmann::json::parse(file).at("gsrb_small");
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
// exact, so the three methods agree in all bits; the counting space computes them as well.
TYPED_TEST(GsrbOperator, AllMethodsGiveTheSameBits) {
  for (const int number : {3, 4, 5})
    for (const Index colour : {0, 1}) {
      const auto level = make_level<TypeParam>(number, Boundary::dirichlet);
      const auto expect_same = [&]<bool Fma>(std::bool_constant<Fma>) {
        const auto fp = after_sweep<TypeParam, Fp, Fma>(level, colour);
        EXPECT_TRUE(same_bits(fp, (after_sweep<TypeParam, Branch, Fma>(level, colour))));
        EXPECT_TRUE(same_bits(fp, (after_sweep<TypeParam, Stride2, Fma>(level, colour))));
        EXPECT_TRUE(same_bits(fp, (after_counted_sweep<TypeParam, Fp, Fma>(level, colour))));
        EXPECT_TRUE(same_bits(fp, (after_counted_sweep<TypeParam, Branch, Fma>(level, colour))));
        EXPECT_TRUE(same_bits(fp, (after_counted_sweep<TypeParam, Stride2, Fma>(level, colour))));
        return fp;
      };
      const auto apart = expect_same(std::false_type()), contracted = expect_same(std::true_type());
      EXPECT_FALSE(same_bits(apart, contracted)) << "the contraction modes are the same code";
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

TYPED_TEST(GsrbOperator, ASolutionIsAFixedPoint) {
  for (const auto boundary : {Boundary::periodic, Boundary::dirichlet}) {
    const auto level = make_level<TypeParam>(4, boundary);
    sweep<TypeParam, Apply>(OpenMp<false>{}, level, Vector::x, Vector::rhs, 0);  // rhs = A x
    const auto solution = cells_of(level, Vector::x);
    EXPECT_TRUE(same_bits(solution, after_sweep<TypeParam, Fp, false>(level, 0)));
    const auto contracted = after_sweep<TypeParam, Fp, true>(level, 1);
    for (std::size_t i = 0; i < solution.size(); ++i) ASSERT_NEAR(contracted[i], solution[i], 1e-13);
  }
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

/// The asymmetry |y A x - x A y| of the operator, relative.
template <class Operator>
double asymmetry() {
  const auto level = make_level<Operator>(4, Boundary::periodic);
  const auto product = [&](Vector a) {  // with A of the other
    const Vector b = a == Vector::x ? Vector::rhs : Vector::x;
    level.exchange(b);
    sweep<Operator, Apply>(OpenMp<false>{}, level, b, Vector::temp, 0);
    const auto left = cells_of(level, a), right = cells_of(level, Vector::temp);
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
    return sum;
  };
  const double xay = product(Vector::x), yax = product(Vector::rhs);
  return std::abs(xay - yax) / std::abs(xay);
}

TEST(GsrbOperators, OnlyTheSecondOrderOneIsSymmetric) {
  EXPECT_LT(asymmetry<SevenPoint>(), 1e-12);
  EXPECT_GT(asymmetry<FourthOrder>(), 1e-6);
}

/// Operations per cell of one sweep without contraction, and accesses per cell.
struct PerCell {
  double add, mul, loads;
};
const std::map<std::string, PerCell> published{
    {"fp/op:fv4", {85, 29, 58}}, {"branch/op:fv4", {42.5, 14, (57 + 1) / 2.0}}, {"stride2/op:fv4", {42.5, 14, 29}},
    {"fp/op:7pt", {13, 9, 16}},  {"branch/op:7pt", {6.5, 4, (15 + 1) / 2.0}},   {"stride2/op:7pt", {6.5, 4, 8}}};

class GsrbLevels : public ::testing::TestWithParam<int> {};

TEST_P(GsrbLevels, CountsAreThePublishedOnesByKind) {
  const auto edge = std::uint64_t{1} << GetParam();
  const double cells = static_cast<double>(edge * edge * edge);
  for (const auto& [name, per_cell] : published)
    for (const bool fma : {false, true}) {
      const auto full = "gsrb/" + name + "/level:" + std::to_string(GetParam()) + (fma ? "" : "/fma:0");
      const auto work = testing::variant("gsrb", {7}, full).make();
      const auto counts = count(work.trace(), nullptr, true);
      const auto& ops = counts.operations;
      EXPECT_EQ(ops.flops(), work.declared_flops) << full;
      EXPECT_EQ(static_cast<double>(ops.flops()), (per_cell.add + per_cell.mul) * cells) << full;
      if (fma) {
        EXPECT_GT(ops.fma, 0u);
        EXPECT_EQ(static_cast<double>(ops.add + ops.fma), per_cell.add * cells) << full;
        EXPECT_EQ(static_cast<double>(ops.mul + ops.fma), per_cell.mul * cells) << full;
      } else {
        EXPECT_EQ(ops.fma, 0u);
        EXPECT_EQ(static_cast<double>(ops.add), per_cell.add * cells) << full;
        EXPECT_EQ(static_cast<double>(ops.mul), per_cell.mul * cells) << full;
      }
      EXPECT_EQ(counts.at(MemoryLevel::L1)->read, 8 * per_cell.loads * cells) << full;
      EXPECT_EQ(counts.at(MemoryLevel::L1)->written, 8 * cells) << full;
    }
}

TEST_P(GsrbLevels, TimedBuffersAreRight) {
  const auto suffix = "/level:" + std::to_string(GetParam());
  for (const auto& v : testing::variants_of("gsrb", {7})) {
    if (v.name.find(suffix) == std::string::npos) continue;
    const auto work = v.make();
    EXPECT_FALSE(work.check().ok) << v.name << " passes before it has run";
    work.launch();
    EXPECT_TRUE(work.check().ok) << v.name << ": " << work.check().message;
  }
}

INSTANTIATE_TEST_SUITE_P(ThreeLevels, GsrbLevels, ::testing::Values(3, 4, 5));

// Known answers 1 of the specification: FLOPs of one sweep at level 6.
TEST(GsrbFamily, PublishedFlopsAtLevelSix) {
  const auto flops = [](const std::string& name) {
    return testing::variant("gsrb", {7}, "gsrb/" + name + "/level:6").make().declared_flops;
  };
  EXPECT_EQ(flops("fp/op:fv4"), 29'884'416u);
  EXPECT_EQ(flops("branch/op:fv4"), 14'811'136u);
  EXPECT_EQ(flops("fp/op:7pt"), 5'767'168u);
  EXPECT_EQ(flops("stride2/op:7pt"), 2'752'512u);
}

// Windows of slabs must stand for all of them exactly.
TEST(GsrbFamily, SampledFlopsAreExact) {
  CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 48 << 10, .ways = 12},
                         {.level = MemoryLevel::L2, .size = 256 << 10, .ways = 16}});
  const auto work = testing::variant("gsrb", {7}, "gsrb/branch/op:7pt/level:6").make();
  const auto counts = count(work.trace(), &caches);
  EXPECT_EQ(counts.operations.flops(), work.declared_flops);
  EXPECT_NE(counts.traffic_note.find("slabs after warm-up"), std::string::npos) << counts.traffic_note;
}

// A machine without caches streams every level. Whole rows go to memory as they are, half-filled lines are read first.
TEST(GsrbFamily, BranchMovesTheBytesOfFpAndStride2MoreForItsHalfFilledLines) {
  const auto traffic = [](const std::string& method) {
    CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 48 << 10, .ways = 12},
                           {.level = MemoryLevel::L2, .size = 512 << 10, .ways = 16}});
    const auto work = testing::variant("gsrb", {7}, "gsrb/" + method + "/op:fv4/level:5").make();
    return *count(work.trace(), &caches, true).at(MemoryLevel::DRAM);
  };
  const double cells = 32 * 32 * 32;
  const auto fp = traffic("fp"), branch = traffic("branch"), stride2 = traffic("stride2");
  EXPECT_EQ(fp.written, 8 * cells);
  EXPECT_EQ(branch.written, 8 * cells);
  EXPECT_NEAR(branch.total() / fp.total(), 1.0, 0.03);
  EXPECT_NEAR(stride2.read - branch.read, 8 * cells, 0.1 * cells);
}

TEST(GsrbFamily, RegistersEveryMethodOperatorLevelAndContraction) {
  const auto variants = testing::variants_of("gsrb", {6});
  std::set<std::string> names, standard;
  for (const auto& v : variants) {
    names.insert(v.name);
    if (v.selection <= Selection::standard) standard.insert(v.name);
    EXPECT_EQ(v.fma, v.name.find("/fma:0") == std::string::npos);
    EXPECT_FALSE(v.about.empty());
  }
  EXPECT_EQ(names.size(), 3u * 2 * 6 * 2);
  EXPECT_TRUE(names.count("gsrb/branch/op:fv4/level:7"));
  EXPECT_TRUE(names.count("gsrb/stride2/op:7pt/level:3/fma:0"));
  EXPECT_TRUE(standard.count("gsrb/stride2/op:7pt/level:6"));
}

TEST(GsrbFamily, RefusesLevelsThatDoNotExistInOneLine) {
  for (const Index level : {-1, 0, 2, 9, 12, 40}) try {
      testing::variants_of("gsrb", {level});
      FAIL() << "level " << level << " was accepted";
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.rfind("--gsrb=" + std::to_string(level) + ": ", 0), 0u) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos);
    }
}

}  // namespace
}  // namespace roofline::gsrb
