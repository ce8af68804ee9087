#include "reporters/comparison/sequential.hpp"

#include <gtest/gtest.h>

#include <random>

#include "reporters/comparison/outputs.hpp"
#include "tests/comparison/made_up.hpp"

namespace roofline::sequential_test {
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
    // Of four pairs with these changes p is 0.036: between alpha / 2 and alpha.
    SequentialComparison sequence({});
    for (const double change : {1.03, 1.06, 1.12, 1.13})
      for (auto& pair : made_up_pairs(1, 1, [&](Side& side) { slow_down(side, triad, change); }, {0, 0})) {
        for (auto* const side : {&pair.base, &pair.next})
          std::erase_if(side->results.points, [](const auto& point) { return point.name != triad; });
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

/// Pairs of ab on a machine that gave each run, and each round, another speed: that is in the roofs, too.
std::vector<SidePair> on_a_moving_machine(int n, unsigned seed, double slower) {
  auto pairs = made_up_pairs(n, seed, [&](Side& side) { slow_down(side, triad, slower); });
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (auto& pair : pairs)
    for (auto* const side : {&pair.base, &pair.next}) {
      const double of_run = std::exp(0.2 * normal(random));
      for (auto& point : side->results.points) {
        for (std::size_t k = 0; k < point.samples.size(); ++k) {
          const double now = of_run * std::exp(0.1 * normal(random));
          point.samples[k].seconds *= now;
          for (auto& probe : point.probes) probe.rates[k] /= now;
        }
        std::vector<double> seconds;
        for (const auto& sample : point.samples) seconds.push_back(sample.seconds);
        point.time = median_interval(std::move(seconds));
      }
    }
  return pairs;
}

Comparison last_look(std::vector<SidePair> pairs) {
  SequentialComparison sequence({});
  for (auto& pair : pairs) sequence.add(std::move(pair));
  return sequence.look(true);
}

TEST(InterleavedPairs, WhatMovesTheMachineMovesNoVerdict) {
  for (unsigned seed = 1; seed < 9; ++seed) {
    const auto slower = last_look(on_a_moving_machine(4, seed, 1.08)),
               same = last_look(on_a_moving_machine(4, seed, 1));
    EXPECT_NEAR(slower.find(triad, "time")->ratio->median, 1.08, 0.02) << seed;
    EXPECT_EQ(slower.count(Verdict::better), 0) << seed;
    EXPECT_EQ(same.count(Verdict::worse) + same.count(Verdict::better), 0) << seed;
  }
}

TEST(InterleavedPairs, ThreePairsDecideNothingSmall) {
  EXPECT_EQ(verdict(last_look(on_a_moving_machine(3, 1, 1.05)), triad, "time"), Verdict::inconclusive);
}

TEST(Suggestions, RunTwoProgramsAndWhatTheRunsChose) {
  auto pairs = made_up_pairs(1, 5, [](Side& side) {
    for (const auto& point : side.results.points) slow_down(side, point.name, 1.06);
  });
  auto &base = pairs.front().base, &next = pairs.front().next;
  const auto command = [&] { return compare(pairs).suggestions.at(0).command; };
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

TEST(Suggestions, AskForMorePairsTheNoisierARowIs) {
  Finding quiet{"a", "time"}, noisy{"b", "time"};
  quiet.ratio = {1.02, 1.01, 1.05}, noisy.ratio = {1.02, 0.9, 1.2};
  quiet.pairs = noisy.pairs = 6;
  EXPECT_GT(pairs_needed(noisy, {}, 10), pairs_needed(quiet, {}, 10));
  EXPECT_LE(pairs_needed(noisy, {}, 10), 40);
}

}  // namespace
}  // namespace roofline::sequential_test
