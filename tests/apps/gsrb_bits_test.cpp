#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "apps/gsrb/problem.hpp"
#include "apps/gsrb/tuned.hpp"
#include "bench/cache_model/sampler.hpp"
#include "tests/bits.hpp"
#include "tests/one_thread.hpp"

namespace roofline::gsrb::gsrb_bits_test {
namespace {

// The smallest level whose rows are whole packs, 32^3 cells, and a smaller one to count.
constexpr int number = 5, counted_number = 4;
constexpr Index edge = least_whole_packs;

/// One level in both layouts.
template <class Operator>
struct Levels {
  std::shared_ptr<Level> padded, dense;

  explicit Levels(int level)
      : padded(std::make_shared<Level>(smoothing_problem<Operator>(level, 3))),
        dense(std::make_shared<Level>(smoothing_problem<Operator>(level, 3, Rows::dense))) {}
  const std::shared_ptr<Level>& of(Rows rows) const { return rows == Rows::dense ? dense : padded; }
};

/// All cells that a launch writes.
template <class Launch>
std::vector<double> after(const Level& level, Launch launch) {
  level.set(Vector::temp, [](Index, Index, Index) { return std::numeric_limits<double>::quiet_NaN(); });
  launch();
  std::vector<double> cells;
  for (Index k = 0; k < level.edge(); ++k)
    for (Index j = 0; j < level.edge(); ++j)
      for (Index i = 0; i < level.edge(); ++i) cells.push_back(level.cell(Vector::temp, i, j, k));
  return cells;
}

template <class Operator, class Method, bool Fma>
void sweep_as(const LoopTuning& tuning, const std::shared_ptr<Level>& level) {
  if constexpr (Method::cells_per_item == 1)
    if (tuning.whole_packs) {
      if constexpr (Fma) return whole_pack_sweep<Operator, Method>(level, tuning.walk)(nullptr);
      return whole_pack_sweep_of<Operator, Method, Fma, edge>(level, tuning.walk)(nullptr);
    }
  sweep<Operator, Method>(OpenMp<Fma>{}, *level, Vector::x, Vector::temp, 0, tuning.walk);
}

template <class Operator, class Method, bool Fma>
void expect_the_published_bits() {
  const Levels<Operator> levels(number);
  const auto expected = after(*levels.padded, [&] { sweep_as<Operator, Method, Fma>({}, levels.padded); });
  for (const auto& tuning : tunings_of<Method>(number, false)) {
    const auto& level = levels.of(tuning.rows);
    EXPECT_TRUE(testing::same_bits(after(*level, [&] { sweep_as<Operator, Method, Fma>(tuning, level); }), expected))
        << Method::name << ' ' << Operator::name << ", " << tuning.name() << (Fma ? "" : ", without FMA");
  }
}

/// Of the tunings that have a trace of their own, which are those without whole packs.
template <class Operator, class Method>
void expect_the_published_operations() {
  const Levels<Operator> levels(counted_number);
  const auto operations = [&](const LoopTuning& tuning) {
    constexpr int lanes = std::is_same_v<Method, Fp> ? counted_lanes : 1;
    const auto trace = [&](Sampler& sampler) {
      const Counting<false, lanes> space(sampler);
      sweep<Operator, Method>(space, *levels.of(tuning.rows), Vector::x, Vector::temp, 0, tuning.walk);
    };
    return count(trace, nullptr, true).operations;
  };
  const auto expected = operations({});
  EXPECT_EQ(expected.flops(), (declared_flops<Operator, Method>(levels.padded->cells())));
  EXPECT_EQ(expected.fma, 0u);
  for (const auto& tuning : tunings_of<Method>(counted_number, false))
    EXPECT_EQ(operations(tuning), expected) << Method::name << ' ' << Operator::name << ", " << tuning.name();
}

template <class Method>
void expect_the_published() {
  const testing::OneThread one_thread;  // small sweeps are no work to share
  expect_the_published_bits<FourthOrder, Method, false>(), expect_the_published_bits<SevenPoint, Method, false>();
  expect_the_published_bits<FourthOrder, Method, true>(), expect_the_published_bits<SevenPoint, Method, true>();
  expect_the_published_operations<FourthOrder, Method>(), expect_the_published_operations<SevenPoint, Method>();
}

TEST(GsrbBits, AndOperationsWithoutFmaOfTunedFormsAreThoseOfFp) { expect_the_published<Fp>(); }
TEST(GsrbBits, AndOperationsWithoutFmaOfTunedFormsAreThoseOfBranch) { expect_the_published<Branch>(); }
TEST(GsrbBits, AndOperationsWithoutFmaOfTunedFormsAreThoseOfStride2) { expect_the_published<Stride2>(); }

}  // namespace
}  // namespace roofline::gsrb::gsrb_bits_test
