// Two runs on a virtual machine whose host moved the cores in between.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/comparison/made_up.hpp"

namespace roofline::moved_cores_test {
namespace {

using example::made_up_pairs;
using example::point_named;
using example::slow_down;
using example::triad;
using example::verdict;

TEST(MovedCores, AreNamed) {
  const auto notes = [](double was, double is) {
    auto pairs = made_up_pairs(1, 1);
    pairs[0].base.results.core_distance = was, pairs[0].next.results.core_distance = is;
    return fmt::format("{}", fmt::join(compare(pairs).notes, " "));
  };
  EXPECT_NE(notes(28e-9, 170e-9).find("took 28 ns from core to core, and takes 170 ns"), std::string::npos);
  EXPECT_EQ(notes(28e-9, 33e-9).find("core to core"), std::string::npos);
  EXPECT_EQ(notes(0, 170e-9).find("core to core"), std::string::npos) << "an older run does not know";
}

// Most rounds of the one run lie where most of the other do not; both have some where the other's lie.
TEST(MovedCores, RoundsAreComparedWhereTheyLayAlike) {
  const auto apart = [](Side& side, const std::string& row, double factor) {
    auto& point = point_named(side, row);
    RoundsElsewhere elsewhere{.core_distance = 170e-9, .samples = point.samples, .probes = point.probes};
    for (auto& sample : elsewhere.samples) sample.seconds *= factor;
    return elsewhere;
  };
  const auto after = [&](double change) {
    auto pairs = made_up_pairs(1, 1, {}, {0, 0});
    auto &base = pairs[0].base, &next = pairs[0].next;
    base.results.core_distance = 28e-9, next.results.core_distance = 170e-9;
    point_named(base, triad).elsewhere = {apart(base, triad, 2)};
    slow_down(next, triad, 2 * change);
    return compare(pairs, {.drift = 0.01});
  };
  EXPECT_EQ(verdict(after(1), triad, "time"), Verdict::same) << "the place alone doubled the time";
  EXPECT_EQ(verdict(after(1.3), triad, "time"), Verdict::worse);
  EXPECT_NEAR(after(1.3).find(triad, "time")->ratio->estimate, 1.3, 1e-9);
}

TEST(MovedCores, NothingIsDecidedWhereNoRoundsLieAlike) {
  const auto with_alike = [](std::size_t rounds) {
    auto pairs = made_up_pairs(1, 1, [](Side& side) { slow_down(side, triad, 1.5); }, {0, 0});
    pairs[0].base.results.core_distance = 28e-9, pairs[0].next.results.core_distance = 170e-9;
    auto& point = point_named(pairs[0].base, triad);
    const auto first = point.samples.begin();
    if (rounds > 0)
      point.elsewhere = {{.core_distance = 170e-9, .samples = {first, first + static_cast<std::ptrdiff_t>(rounds)}}};
    return *compare(pairs).find(triad, "time");
  };
  EXPECT_EQ(with_alike(0).verdict, Verdict::undecided);
  EXPECT_EQ(with_alike(0).why, "the host placed the cores differently in all rounds of the two runs");
  EXPECT_EQ(with_alike(2).verdict, Verdict::undecided);
  EXPECT_EQ(with_alike(2).why, "2 rounds a side are too few");
  EXPECT_EQ(with_alike(6).verdict, Verdict::worse);
}

TEST(MovedCores, AControlWhoseCoresLayElsewhereGivesNoFloor) {
  auto pairs = made_up_pairs(1, 1), controls = made_up_pairs(1, 2);
  pairs[0].base.results.core_distance = 28e-9, controls[0].next.results.core_distance = 29e-9;
  EXPECT_TRUE(placement_floors(pairs, {controls[0].next}).contains(triad));
  controls[0].next.results.core_distance = 170e-9;
  EXPECT_TRUE(placement_floors(pairs, {controls[0].next}).empty());
}

TEST(MovedCores, AChangeBeyondWhatSuchRunsHaveShownIsSeenWhereNoRoundsLieAlike) {
  const auto after = [](double by_the_clock, double beside_roofs, double apart) {
    auto pairs = made_up_pairs(1, 1, [&](Side& side) { slow_down(side, triad, by_the_clock); }, {0, 0});
    auto &base = pairs[0].base.results, &next = pairs[0].next.results;
    base.core_distance = 28e-9, next.core_distance = 170e-9;
    for (auto& probe : point_named(pairs[0].next, triad).probes)
      for (auto& rate : probe.rates) rate *= beside_roofs / by_the_clock;
    next.drift = Drift{0.01, 4, {}};
    base.drift_apart = Drift{0.01, 4, {{triad, apart}}};
    return *compare(pairs).find(triad, "time");
  };
  EXPECT_EQ(after(1.3, 1.3, 0.1).verdict, Verdict::worse);
  EXPECT_EQ(after(1.3, 1.3, 0.28).verdict, Verdict::undecided) << "such runs have differed as much";
  EXPECT_EQ(after(1.3, 1, 0.1).verdict, Verdict::undecided) << "the row follows its roof";
  EXPECT_EQ(after(1, 1.3, 0.1).verdict, Verdict::undecided) << "the roof moved, and the row did not";
  EXPECT_EQ(after(1.001, 1.001, 0.1).verdict, Verdict::undecided) << "not SAME";
  EXPECT_NE(after(1.001, 1.001, 0.1).why.find("the host placed the cores differently"), std::string::npos);
}

}  // namespace
}  // namespace roofline::moved_cores_test
