#include "reporters/cluster/outliers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace roofline::outliers_test {
namespace {

using namespace cluster;

constexpr std::size_t memory_rows = 6, all_rows = 20;

/// Nodes whose rates scatter by 1 % a row; `slow` of them lose 8 % of the memory rows.
Sheet sheet(std::size_t nodes, std::size_t slow, double noise = 0.01, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  Sheet made;
  for (std::size_t row = 0; row < all_rows; ++row) made.rows.push_back(row < memory_rows ? Part::memory : Part::core);
  for (std::size_t node = 0; node < nodes; ++node) {
    made.nodes.emplace_back();
    for (std::size_t row = 0; row < all_rows; ++row)
      made.nodes.back().push_back(std::log(1e9 * (row + 1.0)) + (noise > 0 ? normal(random) : 0) +
                                  (node < slow && row < memory_rows ? std::log(0.92) : 0));
  }
  return made;
}

std::vector<std::size_t> called(const Sheet& sheet) {
  const auto reference = reference_of(sheet, {});
  std::vector<std::size_t> found;
  for (std::size_t node = 0; node < sheet.nodes.size(); ++node)
    if (!causes(reference, sheet.rows, deviations(reference, sheet.rows, sheet.nodes[node])).empty())
      found.push_back(node);
  return found;
}

std::vector<std::size_t> first(std::size_t n) {
  std::vector<std::size_t> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = i;
  return all;
}

TEST(Outliers, AFlatFleetHasNone) {
  EXPECT_EQ(called(sheet(100, 0, 0)), first(0));
  for (unsigned seed = 1; seed <= 20; ++seed) EXPECT_EQ(called(sheet(100, 0, 0.01, seed)), first(0)) << seed;
}

TEST(Outliers, SlowNodesAreFoundAlsoWhereTheyAreAThird) {
  EXPECT_EQ(called(sheet(100, 1)), first(1));
  EXPECT_EQ(called(sheet(300, 90)), first(90));
  // Slow nodes widen what they are compared with: a single pass finds 67 of these.
  EXPECT_GE(called(sheet(300, 100, 0.018)).size(), 90u);
  EXPECT_EQ(called(sheet(8, 1)), first(1));
}

TEST(Outliers, ScalingARowOfAllNodesChangesNothing) {
  auto scaled = sheet(100, 7);
  for (auto& node : scaled.nodes)
    for (std::size_t row = 0; row < all_rows; ++row) node[row] += std::log(3.0 + static_cast<double>(row));
  EXPECT_EQ(called(scaled), called(sheet(100, 7)));
}

TEST(Outliers, ThePartAndTheRowAreNamed) {
  auto fleet = sheet(100, 1);
  fleet.nodes[5][13] += std::log(0.85);
  const auto reference = reference_of(fleet, {});
  const auto of = [&](std::size_t node) {
    return causes(reference, fleet.rows, deviations(reference, fleet.rows, fleet.nodes[node])).front();
  };
  EXPECT_EQ(of(0).part, Part::memory);
  EXPECT_FALSE(of(0).row);
  EXPECT_EQ(of(5).part, Part::core);
  EXPECT_EQ(of(5).row, 13u);
}

TEST(Outliers, LessThanTheFloorIsNotTold) {
  auto quiet = sheet(50, 0, 1e-5);
  for (std::size_t row = 0; row < all_rows; ++row)
    quiet.nodes[3][row] += std::log(0.975), quiet.nodes[4][row] += std::log(0.965);
  EXPECT_EQ(called(quiet), std::vector<std::size_t>{4});
}

TEST(Outliers, RowsThatANodeLacksAreNoFinding) {
  auto fleet = sheet(20, 0);
  for (std::size_t row = 0; row < all_rows; row += 2) fleet.nodes[2][row] = std::numeric_limits<double>::quiet_NaN();
  for (auto& node : fleet.nodes) node[19] = std::numeric_limits<double>::quiet_NaN();
  fleet.nodes[0][19] = 1, fleet.nodes[1][19] = 20;  // of two nodes there is no centre
  EXPECT_EQ(called(fleet), first(0));
  // Three nodes have one, also where another row makes one of them a suspect.
  fleet.nodes[2][19] = 0.7, fleet.nodes[2][3] += std::log(0.5);
  EXPECT_GT(reference_of(fleet, {}).rows[19].degrees, 0);
}

/// Numbers of false suspects in small fleets, where scales are rough: normal quantiles gave 0.1 to 0.3 a fleet.
TEST(Outliers, SmallFleetsAreNotCalledMoreOften) {
  int suspects = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) suspects += !called(sheet(8, 0, 0.03, seed)).empty();
  EXPECT_LE(suspects, 9);
}

/// Rows that scatter little call a second one of four: two would be left, and nothing could be told any more.
TEST(Outliers, HalfTheSpeedIsSeenAmongFour) {
  int sound = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    auto fleet = sheet(4, 0, 0.02, seed);
    for (auto& log : fleet.nodes[2]) log += std::log(0.5);
    fleet.nodes[3][7] += std::log(0.8);
    const auto found = called(fleet);
    EXPECT_TRUE(std::count(found.begin(), found.end(), 2u)) << seed;
    sound += std::count(found.begin(), found.end(), 0u) + std::count(found.begin(), found.end(), 1u);
  }
  EXPECT_LE(sound, 10);
}

/// Three values of one row know next to nothing of their scatter; that of equal machines is known.
TEST(Outliers, HalfTheSpeedIsSeenInOneRow) {
  EXPECT_EQ(called({{Part::core}, {{0.01}, {0}, {std::log(0.5)}, {-0.01}}}), std::vector<std::size_t>{2});
  EXPECT_EQ(called({{Part::core}, {{0.01}, {0}, {std::log(0.9)}, {-0.01}}}), first(0));
}

TEST(Outliers, AreConfirmedByTheBetterOfTwoRuns) {
  const auto fleet = sheet(100, 1);
  const auto reference = reference_of(fleet, {});
  const auto slow = deviations(reference, fleet.rows, fleet.nodes[0]);
  const auto sound = deviations(reference, fleet.rows, fleet.nodes[50]);
  const auto cause = causes(reference, fleet.rows, slow).front();
  EXPECT_EQ(is_confirmed(cause, reference, {slow, slow}, {}, 1), true);
  EXPECT_EQ(is_confirmed(cause, reference, {slow, sound}, {}, 1), false);
  EXPECT_EQ(is_confirmed(cause, reference, {}, {}, 1), std::nullopt);
}

}  // namespace
}  // namespace roofline::outliers_test
