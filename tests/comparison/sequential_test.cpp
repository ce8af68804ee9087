#include "reporters/comparison/sequential.hpp"

#include <gtest/gtest.h>

#include <random>

#include "reporters/comparison/remedies.hpp"
#include "tests/comparison/made_up.hpp"

namespace roofline {
namespace {

using example::made_up_pairs;
using example::slow_down;
using example::triad;
using example::verdict;

TEST(SequentialComparison, FindsNoMoreBetweenRunsOfOneBuildByLookingOften) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SequentialComparison sequence({});
    for (auto& pair : made_up_pairs(12, seed, {}, {0.012, 0.004})) {
      sequence.add(std::move(pair));
      if (!sequence.is_time_to_look()) continue;
      const auto comparison = sequence.look();
      EXPECT_EQ(comparison.count(Verdict::worse) + comparison.count(Verdict::better), 0) << seed;
    }
  }
}

TEST(SequentialComparison, SpendsAllOfAlphaOnceWhicheverLookIsTheLast) {
  for (int last = 1; last <= 8; ++last) {
    double spent = share_of_look(last, true);
    for (int look = 1; look < last; ++look) spent += share_of_look(look, false);
    EXPECT_NEAR(spent, 1, 1e-12);
  }
}

TEST(SequentialComparison, DecidesInItsOnlyLookWhatAFirstOneLeavesOpen) {
  const auto look = [](bool last) {
    // p is 4 / 924 where all six runs of a side are slower, and 0.035 after Holm: between alpha / 2 and alpha.
    SequentialComparison sequence({});
    for (auto& pair : made_up_pairs(6, 1, [](Side& side) { slow_down(side, triad, 1.06); })) {
      for (auto* const side : {&pair.base, &pair.next}) {
        auto& points = side->results.points;
        std::swap(points.front(), example::point_named(*side, triad));
        points.resize(8);
      }
      sequence.add(std::move(pair));
    }
    return sequence.look(last);
  };
  EXPECT_EQ(verdict(look(false), triad, "time"), Verdict::inconclusive);
  EXPECT_EQ(verdict(look(true), triad, "time"), Verdict::worse);
  EXPECT_EQ(look(false).options.alpha, 0.05);
}

TEST(SequentialComparison, LeavesWhatItDecidedUnlessLaterRunsPointTheOtherWay) {
  const auto last_verdict = [](double later) {
    SequentialComparison sequence({});
    auto slow = made_up_pairs(10, 3, [](Side& side) { slow_down(side, triad, 1.05); });
    for (auto& pair : slow) sequence.add(std::move(pair));
    EXPECT_EQ(verdict(sequence.look(), triad, "time"), Verdict::worse);
    auto others = made_up_pairs(10, 4, [&](Side& side) { slow_down(side, triad, later); });
    for (auto& pair : others) sequence.add(std::move(pair));
    return verdict(sequence.look(), triad, "time");
  };
  EXPECT_EQ(last_verdict(1.0), Verdict::worse);
  EXPECT_NE(last_verdict(0.9), Verdict::worse);
}

/// Pairs that ran side by side on a machine that gave each pair, and each sample, another speed.
std::vector<SidePair> side_by_side(int n, unsigned seed, double slower) {
  auto pairs = made_up_pairs(n, seed, [&](Side& side) { slow_down(side, triad, slower); });
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (auto& pair : pairs) {
    pair.in_turns = true;
    const double of_pair = std::exp(0.2 * normal(random));
    for (std::size_t i = 0; i < pair.base.results.points.size(); ++i) {
      auto &base = pair.base.results.points[i], &next = pair.next.results.points[i];
      std::vector<double> paces;
      for (std::size_t k = 0; k < base.sample_seconds.size(); ++k) {
        const double now = of_pair * std::exp(0.1 * normal(random));
        base.sample_seconds[k] *= now, next.sample_seconds[k] *= now;
      }
      for (auto* const point : {&base, &next})
        point->time = median_interval(point->sample_seconds), point->contaminated = 1, point->dram_pace = {};
    }
  }
  return pairs;
}

Comparison last_look(std::vector<SidePair> pairs) {
  SequentialComparison sequence({});
  for (auto& pair : pairs) sequence.add(std::move(pair));
  return sequence.look(true);
}

TEST(SideBySide, WhatMovesBothSidesMovesNoVerdict) {
  SequentialComparison sequence({});
  for (auto& pair : side_by_side(4, 1, 1.05)) {
    sequence.add(std::move(pair));
    EXPECT_EQ(sequence.is_time_to_look(), sequence.pairs() == 4);
  }
  const auto slower = sequence.look(true);
  EXPECT_EQ(verdict(slower, triad, "time"), Verdict::worse);
  EXPECT_NEAR(slower.find(triad, "time")->ratio->median, 1.05, 0.01);
  EXPECT_EQ(slower.count(Verdict::worse), 1);
  for (const auto& change : slower.times)  // the factors explain what the verdict says
    EXPECT_NEAR(change.next / change.base, slower.find(change.row, "time")->ratio->median, 1e-9) << change.row;
  for (unsigned seed = 2; seed < 12; ++seed) {
    const auto same = last_look(side_by_side(4, seed, 1));
    EXPECT_EQ(same.count(Verdict::worse) + same.count(Verdict::better), 0) << seed;
    EXPECT_EQ(verdict(same, triad, "time"), Verdict::same) << seed;
  }
}

TEST(SideBySide, ARemedyTakesAsLongAsOneOfTheTwoThatRunAtOnce) {
  const auto seconds = [](bool in_turns) {
    auto pairs = side_by_side(3, 1, 1.05);
    for (auto& pair : pairs) pair.in_turns = in_turns;
    const auto remedies = compare(pairs, {.interleaved = true}).remedies;
    return remedies.at(0).seconds / remedies.at(0).pairs;
  };
  EXPECT_DOUBLE_EQ(seconds(true), 25);
  EXPECT_DOUBLE_EQ(seconds(false), 50);
}

TEST(SideBySide, ThreePairsDecideNothingSmall) {
  EXPECT_EQ(verdict(last_look(side_by_side(3, 1, 1.05)), triad, "time"), Verdict::inconclusive);
}

TEST(SideBySide, ARoofOfAnotherMomentMakesNoTimeInvalid) {
  auto pairs = side_by_side(4, 1, 1.05);
  for (auto& pair : pairs)
    for (auto* const side : {&pair.base, &pair.next})
      example::point_named(*side, triad).assessment.mix.emplace().efficiency = 1.5;
  EXPECT_EQ(verdict(last_look(std::move(pairs)), triad, "time"), Verdict::worse);
}

TEST(SideBySide, CoresThatOnlyOneSideLostMakeATimeInvalid) {
  auto pairs = side_by_side(6, 4, 1.5);
  for (auto& pair : pairs) example::point_named(pair.base, triad).contaminated = 0.1;
  EXPECT_EQ(verdict(last_look(std::move(pairs)), triad, "time"), Verdict::invalid);
}

TEST(SideBySide, ASideThatBringsItsOwnDisturbanceOfDramIsNotBlamedForIt) {
  auto pairs = side_by_side(6, 3, 1.2);
  for (auto& pair : pairs) {
    example::point_named(pair.base, triad).dram_pace = Pace{0.9, 0.9};
    example::point_named(pair.next, triad).dram_pace = Pace{0.75, 0.75};
  }
  const auto comparison = last_look(std::move(pairs));
  EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::inconclusive);
  EXPECT_NE(comparison.find(triad, "time")->why.find("drift of DRAM"), std::string::npos);
}

TEST(Remedies, RunTwoProgramsAndWhatTheRunsChose) {
  auto pairs = made_up_pairs(1, 5, [](Side& side) {
    for (const auto& point : side.results.points) slow_down(side, point.name, 1.06);
  });
  auto &base = pairs.front().base, &next = pairs.front().next;
  const auto command = [&] { return compare(pairs).remedies.at(0).command; };
  for (auto* const side : {&base, &next})
    side->results.command_line = "roofline_bench --quick --benchmark_filter=stream|gpp --out=roofline-out";
  EXPECT_TRUE(command().starts_with(
      "roofline ab --base='BASE/roofline_bench --quick' --new='NEW/roofline_bench --quick' --pairs="))
      << command();
  EXPECT_TRUE(command().ends_with(" --filter='stream|gpp'")) << command();
  for (auto* const side : {&base, &next})
    side->results.command_line = "roofline_bench --benchmark_filter it's --out roofline-out";
  EXPECT_TRUE(command().starts_with("roofline ab --base='BASE/roofline_bench' --new='NEW/roofline_bench' --pairs="))
      << command();
  EXPECT_EQ(command().find("filter"), std::string::npos) << command();
  next.results.command_line.clear();
  EXPECT_NE(command().find("--new='NEW/roofline_bench'"), std::string::npos) << command();
}

TEST(Remedies, AskForMorePairsTheNoisierARowIs) {
  Finding quiet{"a", "time"}, noisy{"b", "time"};
  quiet.ratio = {1.02, 1.01, 1.05}, noisy.ratio = {1.02, 0.9, 1.2};
  quiet.pairs = noisy.pairs = 6;
  EXPECT_GT(pairs_needed(noisy, {}, 10), pairs_needed(quiet, {}, 10));
  EXPECT_LE(pairs_needed(noisy, {}, 10), 40);
}

}  // namespace
}  // namespace roofline
