#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/gsrb/gsrb.hpp"
#include "apps/gsrb/solve.hpp"
#include "bench/cache_model/sampler.hpp"
#include "tests/variants.hpp"

namespace roofline::gsrb::gsrb_box_test {
namespace {

struct Layout {
  Index n, j_stride, k_stride, volume;
};

TEST(GsrbBox, HasThePublishedPaddedLayout) {
  for (const auto& [n, j_stride, k_stride, volume] :
       {Layout{16, 32, 640, 12800}, {32, 64, 2304, 82944}, {64, 96, 6528, 443904}, {128, 160, 21120, 2787840}}) {
    const BoxShape shape(n, 2);
    EXPECT_EQ(shape.j_stride, j_stride);
    EXPECT_EQ(shape.k_stride, k_stride);
    EXPECT_EQ(shape.volume, volume);
    EXPECT_EQ(shape.at(0, 0, 0), 2 * (1 + j_stride + k_stride));
  }
}

TEST(GsrbLevel, AlignsEveryInteriorRowToACacheLine) {
  for (const Index ghosts : {1, 2}) {
    const Level level(5, Boundary::dirichlet, ghosts, FourthOrder::ghost_weights);
    for (const auto vector : {Vector::x, Vector::temp, Vector::dinv})
      for (Index box = 0; box < boxes; ++box)
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(level.box(vector, box) + level.shape().at(0, 3, 5)) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(level.mask(1) + level.shape().at(0, 3, -ghosts)) % 64, 0u);
  }
}

// A ghost cell is named by its place in the whole domain, so that each box must show what that place holds.
TEST(GsrbLevel, ExchangeFillsFacesEdgesAndCornersOfAPeriodicDomain) {
  const auto level = Level::of<FourthOrder>(3, Boundary::periodic);
  const auto value = [](Index i, Index j, Index k) {
    return static_cast<double>((i + 8) % 8 + (j + 8) % 8 * 10 + (k + 8) % 8 * 100);
  };
  level.set(Vector::temp, value);
  level.exchange(Vector::temp);
  for (Index box = 0; box < boxes; ++box)
    for (Index k = -2; k < 6; ++k)
      for (Index j = -2; j < 6; ++j)
        for (Index i = -2; i < 6; ++i)
          ASSERT_EQ(level.box(Vector::temp, box)[level.shape().at(i, j, k)],
                    value(i + box % 2 * 4, j + box / 2 % 2 * 4, k + box / 4 * 4))
              << "box " << box << " cell " << i << ' ' << j << ' ' << k;
}

// Cell averages of t (t + 1) (t + 2) (t^2 + ...) are reproduced if they vanish at the face: degree 1 for 7pt, 4 for
// fv4.
TEST(GsrbBoundary, ExtrapolatesPolynomialsThatVanishOnTheFace) {
  const auto average = [](int degree, double low) {
    return (std::pow(low + 1, degree + 1) - std::pow(low, degree + 1)) / (degree + 1);
  };
  EXPECT_EQ(SevenPoint::ghost_weights[0][0] * average(1, 0), average(1, -1));
  for (int degree = 1; degree <= 4; ++degree)
    for (const int layer : {0, 1}) {
      double ghost = 0;
      for (int c = 0; c < 4; ++c) ghost += FourthOrder::ghost_weights[layer][c] * average(degree, c);
      EXPECT_NEAR(ghost, average(degree, -1 - layer), 1e-13) << "degree " << degree << " layer " << layer;
    }
}

// x y z is extrapolated exactly along each axis, so also at edges and corners of the domain.
TEST(GsrbBoundary, EdgesAndCornersAreProductsOfExtrapolations) {
  const auto level = Level::of<FourthOrder>(4, Boundary::dirichlet);
  const auto value = [](Index i, Index j, Index k) { return (i + 0.5) * (j + 0.5) * (k + 0.5); };
  level.set(Vector::x, value);
  level.exchange(Vector::x);
  for (Index k = -2; k < 8; ++k)
    for (Index j = -2; j < 8; ++j)
      for (Index i = -2; i < 8; ++i)
        ASSERT_NEAR(level.box(Vector::x, 0)[level.shape().at(i, j, k)], value(i, j, k), 1e-10)
            << i << ' ' << j << ' ' << k;
}

}  // namespace
}  // namespace roofline::gsrb::gsrb_box_test
