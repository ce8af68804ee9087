#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "apps/gsrb/problem.hpp"
#include "apps/gsrb/tuned.hpp"
#include "tests/bits.hpp"
#include "tests/one_thread.hpp"

namespace roofline::gsrb::gsrb_bits_test {
namespace {

// The smallest level whose rows are whole packs: 32^3 cells.
constexpr int number = 5;

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

template <class Operator, class Method>
void sweep_as(const LoopTuning& tuning, const std::shared_ptr<Level>& level) {
  if constexpr (Method::cells_per_item == 1)
    if (tuning.whole_packs) return whole_pack_sweep<Operator, Method>(level, tuning.walk)(nullptr);
  sweep<Operator, Method>(OpenMp<true>{}, *level, Vector::x, Vector::temp, 0, tuning.walk);
}

template <class Operator, class Method>
void expect_the_published_bits() {
  const testing::OneThread one_thread;  // small sweeps are no work to share
  const Levels<Operator> levels(number);
  const auto expected = after(*levels.padded, [&] { sweep_as<Operator, Method>({}, levels.padded); });
  for (const auto& tuning : tunings_of<Method>(number, false)) {
    const auto& level = levels.of(tuning.rows);
    EXPECT_TRUE(testing::same_bits(after(*level, [&] { sweep_as<Operator, Method>(tuning, level); }), expected))
        << Method::name << ' ' << Operator::name << ", " << tuning.name();
  }
}

// Whatever the layout of a level: KernelTunings compares those of one layout alone.
TEST(GsrbBits, OfTunedFormsAreThoseOfFp) {
  expect_the_published_bits<FourthOrder, Fp>(), expect_the_published_bits<SevenPoint, Fp>();
}
TEST(GsrbBits, OfTunedFormsAreThoseOfBranch) {
  expect_the_published_bits<FourthOrder, Branch>(), expect_the_published_bits<SevenPoint, Branch>();
}
TEST(GsrbBits, OfTunedFormsAreThoseOfStride2) {
  expect_the_published_bits<FourthOrder, Stride2>(), expect_the_published_bits<SevenPoint, Stride2>();
}

}  // namespace
}  // namespace roofline::gsrb::gsrb_bits_test
