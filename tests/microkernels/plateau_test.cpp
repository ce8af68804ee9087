#include "microkernels/ert/plateau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "tests/command_line.hpp"

namespace roofline::plateau_test {
namespace {

/// A curve of flat pieces: (value, number of samples). Working sets grow as in ERT's sweep.
BandwidthCurve steps(const std::vector<std::pair<double, int>>& pieces) {
  BandwidthCurve curve;
  double working_set = 1024;
  for (const auto& [value, samples] : pieces)
    for (int i = 0; i < samples; ++i, working_set *= 1.1)
      curve.working_set.push_back(working_set), curve.bandwidth.push_back(value);
  return curve;
}

BandwidthCurve v100() {
  const auto vector = testing::json_of(ROOFLINE_TEST_DATA "/golden.json").at("ert_plateau");
  return {vector.at("x").get<std::vector<double>>(), vector.at("band").get<std::vector<double>>()};
}

void expect_plateaus(const std::vector<double>& got, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], tolerance * expected[i]) << i;
}

TEST(Plateaus, OfTheTestVectorAgreeToTwelveDigits) {
  const auto curve = v100();
  expect_plateaus(find_plateaus(curve), {3023.934336601659, 828.1172657320369}, 1e-12);
  EXPECT_NEAR(curve_weight(curve), 23063.37162221997, 1e-12 * 23063);
}

// Known answers of the search for flat pieces.
TEST(Plateaus, OfFlatPieces) {
  expect_plateaus(find_plateaus(steps({{500, 40}})), {500}, 1e-12);
  expect_plateaus(find_plateaus(steps({{1000, 20}, {100, 20}})), {1000, 100}, 1e-12);
  expect_plateaus(find_plateaus(steps({{1000, 7}, {500, 7}, {100, 20}})), {1000, 500, 100}, 1e-12);
  expect_plateaus(find_plateaus(steps({{1000, 10}, {860, 10}, {100, 20}})), {1000, 860, 100}, 1e-12);
  // More than six samples are needed, and those nearer than the merge factor are one.
  expect_plateaus(find_plateaus(steps({{1000, 6}, {500, 6}, {100, 20}})), {1000, 100}, 1e-12);
  expect_plateaus(find_plateaus(steps({{1000, 10}, {900, 10}, {100, 20}})), {1019000.0 / 1020, 100}, 1e-12);
  const auto curve = steps({{1000, 10}, {820, 10}, {100, 20}});
  expect_plateaus(find_plateaus(curve), {1000, 820, 100}, 1e-12);
  expect_plateaus(find_plateaus(curve, {.merge_factor = 1.25}), {1018200.0 / 1020, 100}, 1e-12);
}

TEST(Plateaus, OfACurveWithoutAnyAreItsMaximum) {
  std::vector<std::pair<double, int>> fall;
  for (int k = 0; k < 30; ++k) fall.emplace_back(1000 * std::pow(0.8, k), 1);
  expect_plateaus(find_plateaus(steps(fall)), {1000}, 1e-12);
}

TEST(Plateaus, AreSpoiltByASingleOutlier) {
  auto late = v100(), early = v100();
  late.bandwidth[60] = 4000;
  expect_plateaus(find_plateaus(late), {4000, 3003.6038, 828.1173}, 1e-7);
  early.bandwidth[10] = 3300;
  expect_plateaus(find_plateaus(early), {3285.4038, 828.6124}, 1e-7);
}

TEST(Plateaus, OfNothingAreRefused) { EXPECT_THROW(find_plateaus({}), std::invalid_argument); }

const std::vector<CacheLevel> caches{{MemoryLevel::L1, 48 << 10, 12, 64, 1},
                                     {MemoryLevel::L2, 1 << 20, 16, 64, 1},
                                     {MemoryLevel::L3, 32 << 20, 16, 64, 2}};

/// 146 samples from 1 KiB to 1 GiB: the rate of the level that a size lies in, on one thread.
BandwidthCurve staircase(const std::vector<double>& l1_l2_l3_dram) {
  auto curve = steps({{1, 146}});
  for (std::size_t j = 0; j < curve.bandwidth.size(); ++j) {
    const double size = curve.working_set[j];
    const std::size_t level = size <= (48 << 10) ? 0 : size <= (1 << 20) ? 1 : size <= (32 << 20) ? 2 : 3;
    curve.bandwidth[j] = l1_l2_l3_dram[level];
  }
  return curve;
}

std::vector<MemoryLevel> levels_of(const BandwidthCurve& curve, int threads) {
  std::vector<MemoryLevel> levels;
  for (const auto& found : name_plateaus(curve, find_plateaus(curve), caches, threads)) levels.push_back(found.level);
  return levels;
}

TEST(PhysicalNames, ComeFromTheCacheGeometry) {
  using enum MemoryLevel;
  EXPECT_EQ(levels_of(staircase({500, 250, 120, 40}), 1), (std::vector{L1, L2, L3, DRAM}));
}

TEST(PhysicalNames, AreNotRanks) {
  using enum MemoryLevel;
  // L1 and L2 equally fast: the second plateau is the L3, not an "L2".
  const auto levels = levels_of(staircase({500, 500, 120, 40}), 1);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[1], L3);
  EXPECT_EQ(levels[2], DRAM);
  // A curve that never leaves the L2 has no DRAM level, whatever ERT calls its last plateau.
  auto inside = staircase({500, 250, 120, 40});
  inside.working_set.resize(70), inside.bandwidth.resize(70);
  EXPECT_EQ(levels_of(inside, 1), (std::vector{L1, L2}));
}

TEST(PhysicalNames, CountTheShareOfAThread) {
  const auto curve = steps({{500, 20}});  // 1 to 6 KiB over all threads
  EXPECT_EQ(levels_of(curve, 1), std::vector{MemoryLevel::L1});
  auto large = curve;
  for (auto& size : large.working_set) size *= 48;  // 48 to 294 KiB: 8 threads have 6 to 37 KiB each
  EXPECT_EQ(levels_of(large, 8), std::vector{MemoryLevel::L1});
  EXPECT_EQ(levels_of(large, 1), std::vector{MemoryLevel::L2});
}

}  // namespace
}  // namespace roofline::plateau_test
