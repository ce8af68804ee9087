#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "apps/gsrb/problem.hpp"
#include "apps/gsrb/whole_packs.hpp"

namespace roofline::gsrb::gsrb_whole_packs_test {
namespace {

std::vector<double> swept(const Level& level) {
  std::vector<double> cells;
  for (Index at = 0; at < level.cells(); ++at) {
    const Index edge = level.edge();
    cells.push_back(level.cell(Vector::temp, at % edge, at / edge % edge, at / edge / edge));
  }
  return cells;
}

template <class Operator, class Method>
void expect_the_bits_of_the_published_sweep(int number) {
  const auto padded = smoothing_problem<Operator>(number, 3);
  sweep<Operator, Method>(OpenMp<true>{}, padded, Vector::x, Vector::temp, 0);
  const auto expected = swept(padded);
  for (const bool streams : {false, true})
    for (const Index ahead : {0, 4}) {
      const auto dense = std::make_shared<Level>(smoothing_problem<Operator>(number, 3, Rows::dense));
      dense->set(Vector::temp, [](Index, Index, Index) { return std::numeric_limits<double>::quiet_NaN(); });
      whole_pack_sweep<Operator, Method>(dense, {.rows_ahead = ahead, .streams = streams})(nullptr);
      EXPECT_EQ(swept(*dense), expected) << Method::name << " " << Operator::name << ", level " << number;
    }
}

TEST(GsrbWholePacks, GiveTheBitsOfThePublishedSweep) {
  expect_the_bits_of_the_published_sweep<FourthOrder, Fp>(5);
  expect_the_bits_of_the_published_sweep<FourthOrder, Branch>(5);
  expect_the_bits_of_the_published_sweep<SevenPoint, Fp>(5);
  expect_the_bits_of_the_published_sweep<SevenPoint, Branch>(5);
  expect_the_bits_of_the_published_sweep<FourthOrder, Fp>(6);
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
}  // namespace roofline::gsrb::gsrb_whole_packs_test
