#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <numbers>

#include "apps/lbm/collide.hpp"
#include "apps/lbm/propagate.hpp"
#include "apps/lbm/reference.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/openmp.hpp"

namespace roofline::lbm::lbm_flow_test {
namespace {

/// A flow that marches in time with v4: halos, propagate, walls if there are any, collide. The grids are small: one
/// thread, no barriers.
class Flow {
 public:
  Flow(const Grid& grid, Edge edge, const Fluid& fluid)
      : grid_(grid),
        edge_(edge),
        fluid_(fluid),
        now_(populations * grid.plane()),
        moved_(populations * grid.plane()),
        bulk_(grid.ly) {
    omp_set_num_threads(1);
    for (Index iy = 0; iy < grid.ly; ++iy)
      bulk_[iy] = edge == Edge::periodic || (iy >= reach && iy < grid.ly - reach) ? 1.0 : 0.0;
  }

  ~Flow() { omp_set_num_threads(threads_); }

  template <class State>
  void initialise(State state) {
    for (Index ix = 0; ix < grid_.lx; ++ix)
      for (Index iy = 0; iy < grid_.ly; ++iy) {
        const auto site = reference::equilibrium(state(ix, iy));
        for (int p = 0; p < populations; ++p) now_[p * grid_.plane() + grid_.site(ix, iy)] = site[p];
      }
  }
  void step() {
    const OpenMp<true> space;
    fill_halos(space, grid_, now_.view(), edge_);
    propagate(space, grid_, now_.view(), moved_.view());
    if (edge_ == Edge::wall) rest_at_walls(space, grid_, moved_.view(), Walls{});
    v4().launch({grid_, moved_.view(), now_.view(), bulk_.view(), fluid_, {}});
  }
  reference::Macroscopic at(Index ix, Index iy) const {
    reference::Site site;
    for (int p = 0; p < populations; ++p) site[p] = now_[p * grid_.plane() + grid_.site(ix, iy)];
    return reference::macroscopic(site);
  }
  double mass() const {
    double sum = 0;
    for (Index ix = 0; ix < grid_.lx; ++ix)
      for (Index iy = 0; iy < grid_.ly; ++iy) sum += at(ix, iy).rho;
    return sum;
  }

 private:
  static const Version& v4() {
    for (const auto& version : versions())
      if (version.name == std::string("v4")) return version;
    throw std::logic_error("no v4");
  }

  const int threads_ = omp_get_max_threads();
  Grid grid_;
  Edge edge_;
  Fluid fluid_;
  Buffer now_, moved_, bulk_;
};

constexpr Index cells = 128;
const double wave_number = 2 * std::numbers::pi / (static_cast<double>(cells) * r);  // a step moves c = 1 by r

/// Amplitude of the wave of one period along x in uy.
double amplitude(const Flow& flow) {
  double sum = 0;
  for (Index ix = 0; ix < cells; ++ix) {
    const double phase = 2 * std::numbers::pi * static_cast<double>(ix) / static_cast<double>(cells);
    sum += flow.at(ix, 5).uy * std::sin(phase);
  }
  return 2 * sum / static_cast<double>(cells);
}

TEST(LbmFlow, ShearWaveDecaysWithTheViscosityOfTheRelaxationTime) {
  Flow flow({cells, 32}, Edge::periodic, {.k1 = 0.3, .k2 = 0.3, .k3 = 0.3});
  flow.initialise([](Index ix, Index) {
    const double phase = 2 * std::numbers::pi * static_cast<double>(ix) / static_cast<double>(cells);
    return reference::Macroscopic{1, 0, 1e-3 * std::sin(phase), 1};
  });
  for (int i = 0; i < 100; ++i) flow.step();  // the initial transient
  const double before = amplitude(flow);
  constexpr int steps = 400;
  for (int i = 0; i < steps; ++i) flow.step();
  const double viscosity = std::log(before / amplitude(flow)) / (steps * wave_number * wave_number);
  EXPECT_NEAR(viscosity, 0.3, 0.001 * 0.3);  // T (tau - 1/2)
}

TEST(LbmFlow, WallsAndGravityKeepTheMass) {
  Flow flow({16, 64}, Edge::wall, {.k1 = 0.1, .k2 = 0.1, .k3 = 0.1, .tau1_wall = 0.8, .tau2_wall = 0.8, .gy = -1e-4});
  flow.initialise([](Index ix, Index iy) {
    return reference::Macroscopic{1 + 0.01 * std::sin(0.3 * static_cast<double>(iy)), 0.01, 0,
                                  1 + 0.01 * std::cos(0.5 * static_cast<double>(ix))};
  });
  const double before = flow.mass();
  for (int i = 0; i < 200; ++i) flow.step();
  EXPECT_NEAR(flow.mass(), before, 1e-13 * before);
  const auto corner = flow.at(0, 0);
  EXPECT_NEAR(corner.temperature, 1.02, 5e-3) << "the bottom row follows its wall";
}

}  // namespace
}  // namespace roofline::lbm::lbm_flow_test
