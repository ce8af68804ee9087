#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "apps/lbm/collide.hpp"
#include "apps/lbm/lattice.hpp"
#include "apps/lbm/reference.hpp"
#include "bench/space/buffer.hpp"
#include "tests/command_line.hpp"

namespace roofline::lbm::lbm_collide_test {
namespace {

using reference::Site;

constexpr Grid grid{2, 64};
const std::size_t sites = grid.sites();

/// One collision of the sites of a small grid by a version of the kernel.
std::vector<Site> collide(const Version& version, const std::vector<Site>& in, const Fluid& fluid, bool bulk) {
  const Tables tables = known_tables;
  Buffer from(populations * grid.plane()), to(populations * grid.plane()), flags(grid.ly);
  for (auto& flag : flags) flag = bulk;
  const auto at = [](int p, std::size_t site) {
    const auto i = static_cast<Index>(site);
    return p * grid.plane() + grid.site(i / grid.ly, i % grid.ly);
  };
  for (std::size_t i = 0; i < sites; ++i)
    for (int p = 0; p < populations; ++p) from[at(p, i)] = in[i][p];
  version.launch({grid, from.view(), to.view(), flags.view(), fluid, {&tables, populations}});
  std::vector<Site> out(sites);
  for (std::size_t i = 0; i < sites; ++i)
    for (int p = 0; p < populations; ++p) out[i][p] = to[at(p, i)];
  return out;
}

/// Positive populations near equilibrium, each site different.
std::vector<Site> random_sites() {
  std::mt19937_64 random(20201120);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Site> all(sites);
  for (auto& site : all) {
    site = reference::equilibrium({.rho = 1 + 0.2 * unit(random),
                                   .ux = 0.1 * unit(random),
                                   .uy = 0.1 * unit(random),
                                   .temperature = 1 + 0.05 * unit(random)});
    for (auto& f : site) f *= 1 + 0.02 * unit(random);
  }
  return all;
}

/// Mass, momentum and energy (sum of f |c|^2 / 2), summed without the help of a kernel.
struct Conserved {
  double mass = 0, x = 0, y = 0, energy = 0;
  explicit Conserved(const Site& f) {
    for (int p = 0; p < populations; ++p) {
      const double cx = r * velocities[p].x, cy = r * velocities[p].y;
      mass += f[p], x += f[p] * cx, y += f[p] * cy, energy += f[p] * (cx * cx + cy * cy) / 2;
    }
  }
};

void expect_near(const Site& got, const Site& want, double tolerance) {
  for (int p = 0; p < populations; ++p)
    EXPECT_NEAR(got[p], want[p], tolerance * std::abs(want[p])) << "population " << p;
}

constexpr Fluid without_force{.k1 = 0.25, .k2 = 0.35, .k3 = 0.6, .tau1_wall = 0.8, .tau2_wall = 0.9};
constexpr Fluid with_force{
    .k1 = 0.25, .k2 = 0.35, .k3 = 0.6, .tau1_wall = 0.8, .tau2_wall = 0.9, .fx = 0.001, .gy = -0.002};

class LbmCollide : public ::testing::TestWithParam<std::size_t> {
 protected:
  const Version& version() const { return versions()[GetParam()]; }
};

TEST_P(LbmCollide, ReproducesTheTestVector) {
  const auto golden = testing::json_of(ROOFLINE_TEST_DATA "/golden.json").at("lbm");
  const auto in = golden["in"].get<Site>(), out = golden["out"].get<Site>();
  const auto tau = golden["tau"].get<std::array<double, 3>>();
  const auto moments = golden["mom_in"].get<std::array<double, 4>>();
  const double pressure = moments[0] * moments[3];
  const Fluid fluid{.k1 = (tau[0] - 0.5) * pressure,
                    .k2 = (tau[1] - 0.5) * pressure,
                    .k3 = tau[2] - 0.5,
                    .tau1_wall = tau[0],
                    .tau2_wall = tau[1],
                    .fx = golden["fx"],
                    .gy = golden["gy"]};
  for (const bool bulk : {false, true})
    for (const auto& site : collide(version(), std::vector<Site>(sites, in), fluid, bulk)) {
      expect_near(site, out, 1e-12);
      const auto m = reference::macroscopic(site);
      const auto want = golden["mom_out"].get<std::array<double, 4>>();
      EXPECT_NEAR(m.rho, want[0], 1e-12);
      EXPECT_NEAR(m.ux, want[1], 1e-13);
      EXPECT_NEAR(m.uy, want[2], 1e-13);
      EXPECT_NEAR(m.temperature, want[3], 1e-12);
    }
}

TEST_P(LbmCollide, AgreesWithTheReferenceOnEverySite) {
  const auto in = random_sites();
  for (const bool bulk : {false, true}) {
    const auto out = collide(version(), in, with_force, bulk);
    for (std::size_t i = 0; i < sites; ++i) expect_near(out[i], reference::collide(in[i], bulk, with_force), 1e-13);
  }
}

TEST_P(LbmCollide, ConservesMassAndAForceAddsItsMomentumAndItsWork) {
  const auto in = random_sites();
  for (const auto& fluid : {without_force, with_force}) {
    const auto out = collide(version(), in, fluid, true);
    for (std::size_t i = 0; i < sites; ++i) {
      const Conserved before(in[i]), after(out[i]);
      const double fx = fluid.fx, fy = fluid.gy * before.mass;
      const double work = (before.x * fx + before.y * fy) / before.mass + (fx * fx + fy * fy) / (2 * before.mass);
      EXPECT_NEAR(after.mass, before.mass, 1e-14 * before.mass);
      EXPECT_NEAR(after.x - before.x, fx, 2e-15 * before.mass);
      EXPECT_NEAR(after.y - before.y, fy, 2e-15 * before.mass);
      EXPECT_NEAR(after.energy - before.energy, work, 4e-15 * before.energy);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, LbmCollide, ::testing::Range<std::size_t>(0, 8), [](const auto& info) {
  const auto& version = versions().at(info.param);
  return version.name + std::string(version.fma ? "" : "_nofma");
});

TEST(LbmVersions, AreTheFiveOfTheTalkAndOneMore) {
  std::string names;
  for (const auto& version : versions()) names += version.name + std::string(version.fma ? " " : "/nofma ");
  EXPECT_EQ(names, "v0 v0/nofma v1 v1/nofma v2 v3 v4 v5 ");
}

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
}  // namespace roofline::lbm::lbm_collide_test
