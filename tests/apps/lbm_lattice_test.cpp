#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/lbm/lattice.hpp"
#include "apps/lbm/reference.hpp"

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

TEST(LbmLattice, OrderTenIsTheFirstThatIsNotExact) {
  EXPECT_NEAR(moment(10, 0), 945 - 30.01, 0.01);
  EXPECT_NEAR(moment(6, 4), 45 - 2.695, 0.001);
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

TEST(LbmLattice, NumberingIsThatOfTheTestVectors) {
  std::ifstream file(ROOFLINE_TEST_DATA "/golden.json");
  const auto golden = nlohmann::json::parse(file).at("lbm");
  for (int p = 0; p < populations; ++p) {
    EXPECT_EQ(velocities[p].x, golden["velocities"][p][0]) << p;
    EXPECT_EQ(velocities[p].y, golden["velocities"][p][1]) << p;
    EXPECT_EQ(velocities[opposite(p)].x, -velocities[p].x);
    EXPECT_EQ(velocities[opposite(p)].y, -velocities[p].y);
    EXPECT_EQ(population_of(velocities[p]), p);
  }
  EXPECT_EQ(r, std::stod(golden["r"].get<std::string>()));
  EXPECT_EQ(population_of({3, 2}), -1);
}

TEST(LbmLattice, TablesInMemoryAreTheKnownOnes) {
  EXPECT_EQ(sizeof(Tables), 5328u);
  for (int p = 0; p < populations; ++p) {
    EXPECT_EQ(static_tables.w[p], known_tables.w[p]);
    for (int k = 0; k < components; ++k) EXPECT_EQ(static_tables.h[k][p], known_tables.h[k][p]);
  }
}

TEST(LbmLattice, WeightsAgreeWithThoseSolvedForByTheReference) {
  const auto rest = reference::equilibrium({.rho = 1, .ux = 0, .uy = 0, .temperature = 1});
  for (int p = 0; p < populations; ++p) EXPECT_NEAR(rest[p] / known_tables.w[p], 1, 2e-15) << p;
}

}  // namespace
}  // namespace roofline::lbm::lbm_lattice_test
