#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/gsrb/profile.hpp"
#include "apps/gsrb/simulated.hpp"
#include "bench/space/pack.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using gsrb::FourthOrder;
using gsrb::gpu_sweep;
using gsrb::GpuLevel;
using gsrb::GpuMethod;
using gsrb::SevenPoint;
using Scenario = GpuCounts::Scenario;

GpuModel v100() {
  return GpuModel(read_device(std::string(ROOFLINE_TEST_DATA) + "/../../bench/machine/devices/v100.json"));
}

TEST(GpuGsrb, ReproducesThePublishedProfile) {
  const auto nvprof =
      nlohmann::json::parse(read_file(std::string(ROOFLINE_TEST_DATA) + "/published.json"))["hpgmg"]["nvprof"];
  const auto rows = gsrb::compare_profile(v100());
  std::map<std::string, double> error;
  for (const auto& row : rows) {
    EXPECT_EQ(row.published, nvprof[row.quantity].get<double>()) << row.quantity;
    error.try_emplace(row.quantity, row.error());  // the first one: the device as its file says
  }
  for (const auto* exact : {"flop_count_dp", "gld_transactions", "gst_transactions"}) EXPECT_EQ(error.at(exact), 0);
  EXPECT_LE(std::abs(error.at("l2_read_transactions")), 0.20);
  EXPECT_LE(std::abs(error.at("l2_write_transactions")), 0.20);
  EXPECT_LE(std::abs(error.at("dram_read_transactions")), 0.20);
  EXPECT_EQ(error.at("dram_write_transactions"), 0);
  const auto table = markdown("x", rows);
  EXPECT_NE(table.find("| gld_transactions | 4,280,320 | 4,280,320 | exact |"), std::string::npos) << table;
}

WarpCounts recorded(const GpuKernel& kernel) {
  WarpCounts counts;
  for (Index block = 0; block < kernel.blocks; ++block) counts += record_block(kernel, block);
  return counts;
}

template <class Operator>
void expect_flops(int number, std::uint64_t fp, std::uint64_t coloured) {
  const auto level = std::make_shared<const GpuLevel>(number);
  const auto cells = std::uint64_t{1} << 3 * number;
  const auto threads = cells / 8;  // 8 planes each; a reciprocal counts one here
  EXPECT_EQ(recorded(gpu_sweep<Operator>(level, GpuMethod::fp)).operations.flops(), fp * cells + 3 * threads);
  EXPECT_EQ(recorded(gpu_sweep<Operator>(level, GpuMethod::branch)).operations.flops(),
            coloured * cells / 2 + 3 * threads);
  EXPECT_EQ(recorded(gpu_sweep<Operator>(level, GpuMethod::stride2)).operations.flops(),
            coloured * cells / 2 + 3 * threads / 2);
}

TEST(GpuGsrb, FlopsEqualTheFormulas) {
  expect_flops<FourthOrder>(5, 114, 113);
  expect_flops<FourthOrder>(6, 114, 113);
  expect_flops<SevenPoint>(5, 22, 21);
  expect_flops<SevenPoint>(6, 22, 21);
}

TEST(GpuGsrb, BranchSwitchesHalfOfTheLanesOff) {
  const auto level = std::make_shared<const GpuLevel>(6);
  const auto fp = recorded(gpu_sweep<FourthOrder>(level, GpuMethod::fp));
  const auto branch = recorded(gpu_sweep<FourthOrder>(level, GpuMethod::branch));
  EXPECT_EQ(fp.lanes, 32 * fp.instructions);
  const double active = static_cast<double>(branch.lanes) / static_cast<double>(32 * branch.instructions);
  EXPECT_GT(active, 0.5);
  EXPECT_LT(active, 0.6);
  EXPECT_EQ(fp.of(Access::global_store), branch.of(Access::global_store));
}

TEST(GpuGsrb, Stride2StoresTwiceTheSectors) {
  const auto level = std::make_shared<const GpuLevel>(6);
  const auto branch = recorded(gpu_sweep<FourthOrder>(level, GpuMethod::branch)).of(Access::global_store);
  const auto stride2 = recorded(gpu_sweep<FourthOrder>(level, GpuMethod::stride2)).of(Access::global_store);
  EXPECT_EQ(stride2.sectors, 2 * branch.sectors);
  EXPECT_EQ(stride2.lanes, branch.lanes);
}

/// Fills every vector with values that differ from place to place.
void fill(const GpuLevel& level) {
  const Index g = GpuLevel::ghosts, n = level.edge();
  for (Index box = 0; box < GpuLevel::boxes; ++box)
    for (Index k = -g; k < n + g; ++k) {
      const auto cells = level.cells(box, k, 0);
      int number = 0;
      for (const auto& view : {cells.x, cells.rhs, cells.beta_i, cells.beta_j, cells.beta_k, cells.dinv}) {
        ++number;
        for (Index j = -g; j < n + g; ++j)
          for (Index i = -g; i < n + g; ++i)
            view.data[i + j * cells.j] =
                1.0 + 0.25 * std::sin(0.1 * static_cast<double>(number * i + 2 * j + 3 * k + box));
      }
    }
}

TEST(GpuGsrb, ValuesAreThoseOfTheBodyAndOfEachOther) {
  const auto level = std::make_shared<const GpuLevel>(5);
  fill(*level);
  using Place = At<Pack<1>, true>;
  using real = Place::real;
  for (const auto method : {GpuMethod::fp, GpuMethod::branch, GpuMethod::stride2})
    for (const Index colour : {0, 1}) {
      const auto kernel = gpu_sweep<FourthOrder>(level, method, colour);
      recorded(kernel);
      Index wrong = 0;
      for (Index box = 0; box < GpuLevel::boxes; ++box)
        for (Index k = 0; k < level->edge(); ++k) {
          const auto cells = level->cells(box, k, colour);
          for (Index j = 0; j < level->edge(); ++j)
            for (Index i = 0; i < level->edge(); ++i) {
              const Place at{i + j * cells.j};
              real expected = cells.x[at];
              if (((i ^ j ^ k ^ colour) & 1) == 0) {
                const real x = expected, rhs = cells.rhs[at], lambda = cells.dinv[at];
                expected = x + lambda * (rhs - FourthOrder::apply(cells, at, x));
              }
              wrong += cells.out.data[at.i] != expected.value.v;
              cells.out.data[at.i] = 0;
            }
        }
      EXPECT_EQ(wrong, 0) << kernel.name << " colour " << colour;
    }
}

TEST(GpuGsrb, TwoRunsAreIdentical) {
  const auto level = std::make_shared<const GpuLevel>(5);
  const auto kernel = gpu_sweep<FourthOrder>(level, GpuMethod::fp);
  const auto device = v100().device();
  for (const auto schedule : {Schedule::lockstep, Schedule::greedy}) {
    const auto once = simulate(device, kernel, schedule);
    const auto again =
        simulate(device, gpu_sweep<FourthOrder>(std::make_shared<const GpuLevel>(5), GpuMethod::fp), schedule);
    EXPECT_EQ(once.all.traffic, again.all.traffic) << name(schedule);
    EXPECT_EQ(once.counts, again.counts);
  }
}

TEST(GpuGsrb, IntensityRisesAndBranchMovesTheBytesOfFp) {
  const auto model = v100();
  double before = 0;
  for (const int number : {5, 6}) {
    const auto level = std::make_shared<const GpuLevel>(number);
    const auto fp = model.count(gpu_sweep<FourthOrder>(level, GpuMethod::fp));
    const auto branch = model.count(gpu_sweep<FourthOrder>(level, GpuMethod::branch));
    const auto bytes = [](const Scenario& s) { return s.dram_read + s.dram_write; };
    const double intensity = static_cast<double>(fp.executed.flops()) / bytes(fp.scenarios.front());
    EXPECT_GT(intensity, before);
    before = intensity;
    EXPECT_NEAR(bytes(branch.scenarios.front()) / bytes(fp.scenarios.front()), 1.0, 0.03);
    EXPECT_NEAR(static_cast<double>(branch.executed.flops()) / static_cast<double>(fp.executed.flops()), 0.5022, 1e-3);
  }
}

TEST(GpuGsrb, RefusesOtherLevels) {
  EXPECT_THROW(GpuLevel(4), std::invalid_argument);
  EXPECT_THROW(GpuLevel(9), std::invalid_argument);
}

}  // namespace
}  // namespace roofline
