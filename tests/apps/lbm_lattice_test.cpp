#include <gtest/gtest.h>

#include <cmath>

#include "apps/lbm/lattice.hpp"

namespace roofline::lbm::lbm_lattice_test {
namespace {

/// sum w (c_x)^i (c_y)^j
long double moment(int i, int j) {
  long double sum = 0;
  for (int p = 0; p < populations; ++p)
    sum += known_tables.w[p] * std::pow(static_cast<long double>(known_tables.cx[p]), i) *
           std::pow(static_cast<long double>(known_tables.cy[p]), j);
  return sum;
}

TEST(LbmLattice, WeightsReproduceAllGaussianMomentsUpToOrderNine) {
  constexpr double gauss[] = {1, 0, 1, 0, 3, 0, 15, 0, 105, 0};
  for (int i = 0; i <= 9; ++i)
    for (int j = 0; i + j <= 9; ++j) EXPECT_NEAR(moment(i, j), gauss[i] * gauss[j], 2e-13) << i << ' ' << j;
  EXPECT_NEAR(moment(0, 0), 1, 1e-15);
}

TEST(LbmLattice, HermiteComponentsAreOrthogonalWithTheirNorms) {
  constexpr double norms[] = {1, 1, 1, 2, 1, 2, 6, 2, 2, 6, 24, 6, 4, 6, 24};
  for (int k = 0; k < components; ++k)
    for (int l = 0; l < components; ++l) {
      double sum = 0;
      for (int p = 0; p < populations; ++p) sum += known_tables.w[p] * known_tables.h[k][p] * known_tables.h[l][p];
      EXPECT_NEAR(sum, k == l ? norms[k] : 0, 2e-14) << k << ' ' << l;
    }
}

}  // namespace
}  // namespace roofline::lbm::lbm_lattice_test
