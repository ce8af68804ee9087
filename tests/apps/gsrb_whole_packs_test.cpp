#include <gtest/gtest.h>

#include "apps/gsrb/whole_packs.hpp"

namespace roofline::gsrb::gsrb_whole_packs_test {
namespace {

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
