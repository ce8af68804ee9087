#include "reporters/comparison/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/model/rank_tests.hpp"
#include "reporters/comparison/remedies.hpp"
#include "reporters/comparison/sequential.hpp"
#include "tests/comparison/made_up.hpp"

namespace roofline {
namespace {

using example::made_up_pairs;
using example::point_named;
using example::slow_down;

const std::string triad = "stream/triad/n:33554432", compute_row = "gpp/nw:6/fma:1/stride:1";

Verdict verdict(const Comparison& comparison, const std::string& row, const std::string& metric) {
  const auto* const finding = comparison.find(row, metric);
  if (!finding) throw std::out_of_range(row + " " + metric);
  return finding->verdict;
}

// Ranks and intervals: values from tables of the tests.

TEST(RankTests, AgreeWithPublishedTables) {
  EXPECT_DOUBLE_EQ(signed_rank_p({1, 2, 3, 4, 5, 6}), 2 / 64.0);
  EXPECT_DOUBLE_EQ(signed_rank_p({-1, 2, 3, 4, 5, 6}), 4 / 64.0);
  EXPECT_DOUBLE_EQ(signed_rank_p({0, 0}), 1);
  EXPECT_DOUBLE_EQ(rank_sum_p({1, 2, 3, 4}, {5, 6, 7, 8}), 2 / 70.0);
  EXPECT_DOUBLE_EQ(rank_sum_p({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 2 / 252.0);
  EXPECT_DOUBLE_EQ(rank_sum_p({1, 1, 1}, {1, 1, 1}), 1);
  EXPECT_NEAR(least_paired_p(5), 4 / 252.0, 1e-12);
  EXPECT_NEAR(least_paired_p(7), paired_p({1, 2, 3, 4, 5, 6, 7}, {11, 12, 13, 14, 15, 16, 17}), 1e-12);
}

TEST(RankTests, HolmStepsDown) {
  const auto adjusted = holm({0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12) << i;
}

TEST(RankTests, AnIntervalOfTheMedianNeedsSixValues) {
  EXPECT_FALSE(exact_median_interval({1, 2, 3, 4, 5}));
  const auto six = exact_median_interval({1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(six);
  EXPECT_EQ(six->low, 1);
  EXPECT_EQ(six->high, 6);
  const auto nine = exact_median_interval({1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(nine->low, 2);
  EXPECT_EQ(nine->high, 8);
}

// Identical builds.

TEST(Compare, FindsNothingBetweenRunsOfOneBuild) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto comparison = compare(made_up_pairs(6, seed));
    EXPECT_EQ(comparison.count(Verdict::worse), 0) << seed;
    EXPECT_EQ(comparison.count(Verdict::better), 0) << seed;
    EXPECT_EQ(exit_code(comparison, {}), 0);
  }
}

TEST(Compare, CallsQuietRunsOfOneBuildTheSame) {
  const auto comparison = compare(made_up_pairs(8, 3));
  EXPECT_EQ(comparison.count(Verdict::inconclusive), 0);
  EXPECT_TRUE(comparison.remedies.empty());
}

TEST(Compare, FindsNothingUnderAHogBesideBothSides) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto comparison = compare(made_up_pairs(6, seed, {}, {0.08, 0.18}));
    EXPECT_EQ(comparison.count(Verdict::worse) + comparison.count(Verdict::better), 0) << seed;
  }
}

// Times.

TEST(Compare, FindsAFivePercentSlowdownAndNothingElse) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto comparison = compare(made_up_pairs(10, seed, [](Side& side) { slow_down(side, triad, 1.05); }));
    EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::worse) << seed;
    EXPECT_EQ(comparison.count(Verdict::worse), 1) << seed;
    EXPECT_EQ(exit_code(comparison, {}), 1);
    EXPECT_EQ(exit_code(comparison, {.times = false}), 0);
  }
}

TEST(Compare, CallsASpeedUpBetterAndNoAlarm) {
  const auto comparison = compare(made_up_pairs(10, 1, [](Side& side) { slow_down(side, compute_row, 0.9); }));
  EXPECT_EQ(verdict(comparison, compute_row, "time"), Verdict::better);
  EXPECT_EQ(exit_code(comparison, {true, true}), 0);
}

TEST(Compare, OfOnePairTellsOnlyLargeChangesApart) {
  const auto of = [](double factor) {
    return compare(made_up_pairs(1, 5, [&](Side& side) { slow_down(side, triad, factor); }));
  };
  EXPECT_EQ(verdict(of(1.06), triad, "time"), Verdict::inconclusive);
  EXPECT_EQ(verdict(of(1.3), triad, "time"), Verdict::worse);
  EXPECT_EQ(verdict(of(0.7), triad, "time"), Verdict::better);
}

TEST(Compare, OfFewPairsTrustsNoneWhenConditionsChangedInOne) {
  auto pairs = made_up_pairs(3, 5, [](Side& side) { slow_down(side, triad, 1.3); });
  EXPECT_EQ(verdict(compare(pairs), triad, "time"), Verdict::worse);
  example::scale_level(pairs[1].next, MemoryLevel::DRAM, 0.8);
  EXPECT_EQ(verdict(compare(pairs), triad, "time"), Verdict::inconclusive);
}

TEST(Compare, NeedsAChangeAboveTheFloor) {
  const auto pairs = made_up_pairs(10, 2, [](Side& side) { slow_down(side, triad, 1.05); });
  EXPECT_EQ(verdict(compare(pairs, {.spread = 0.035}), triad, "time"), Verdict::same);
  EXPECT_EQ(verdict(compare(pairs, {.control_floor = 0.08}), triad, "time"), Verdict::same);
}

TEST(Compare, NeedsAChangeThatTheTimerResolves) {
  auto pairs = made_up_pairs(10, 2, [](Side& side) { slow_down(side, triad, 1.05); });
  for (auto& [base, next] : pairs)
    for (auto* const side : {&base, &next}) slow_down(*side, triad, 1e-5), side->results.timer.step = 1e-7;
  EXPECT_EQ(verdict(compare(pairs), triad, "time"), Verdict::same);
}

TEST(Compare, JudgesNoTimesOfAnotherMachineAndTheCountsAllTheSame) {
  const auto comparison = compare(made_up_pairs(6, 1, [](Side& side) {
    side.fingerprint = side.results.machine.fingerprint = "GenuineIntel 6/143/8, 8 cores, SMT 1, NUMA 1, avx512";
    side.model_hash = "def";
    point_named(side, compute_row).counts.operations.add += 1;
    slow_down(side, triad, 2);
  }));
  EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::not_comparable);
  EXPECT_EQ(verdict(comparison, triad, "bytes_DRAM"), Verdict::not_comparable);
  EXPECT_EQ(verdict(comparison, triad, "bytes_L1"), Verdict::same);
  EXPECT_EQ(verdict(comparison, compute_row, "flops"), Verdict::worse);
  EXPECT_TRUE(comparison.other_machine);
  EXPECT_EQ(exit_code(comparison, {}), 1);
}

// Ceilings as controls.

TEST(Compare, WithDramDisturbedOnOneSideJudgesOnlyWhatDoesNotDependOnIt) {
  auto pairs = made_up_pairs(10, 4, [](Side& side) {
    example::scale_level(side, MemoryLevel::DRAM, 0.8);
    for (auto& point : side.results.points)
      if (point.family == "stream") slow_down(side, point.name, 1.25);
    slow_down(side, compute_row, 1.1);
  });
  for (auto& [base, next] : pairs)
    for (auto* const side : {&base, &next}) point_named(*side, compute_row).counts.at(MemoryLevel::DRAM)->read /= 2;
  const auto comparison = compare(pairs);
  EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::inconclusive);
  EXPECT_NE(comparison.find(triad, "time")->why.find("drift of DRAM"), std::string::npos);
  EXPECT_EQ(verdict(comparison, compute_row, "time"), Verdict::worse) << comparison.find(compute_row, "time")->why;
  EXPECT_EQ(comparison.count(Verdict::worse), 1);
  ASSERT_FALSE(comparison.remedies.empty());
  EXPECT_EQ(comparison.remedies.front().cause, "drift of DRAM");
  EXPECT_NE(comparison.remedies.front().command.find("roofline ab --base="), std::string::npos);
  EXPECT_GT(comparison.remedies.front().seconds, 0);
}

TEST(Compare, DoesNotBlameCodeForWhatACeilingExplains) {
  // A loss of 4 % of bandwidth is below the veto, and explains a row that is 5 % slower.
  const auto comparison = compare(made_up_pairs(12, 4,
                                                [](Side& side) {
                                                  example::scale_level(side, MemoryLevel::DRAM, 0.96);
                                                  slow_down(side, triad, 1.05);
                                                },
                                                {0.001, 0.001}));
  EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::inconclusive);
}

TEST(Compare, NeedsCeilingsUnlessTheSidesTookTurns) {
  auto pairs = made_up_pairs(10, 4, [](Side& side) { slow_down(side, triad, 1.1); });
  for (auto& pair : pairs) pair.next.results.ceilings_origin = {};
  EXPECT_EQ(verdict(compare(pairs), triad, "time"), Verdict::inconclusive);
  EXPECT_EQ(verdict(compare(pairs, {.interleaved = true}), triad, "time"), Verdict::worse);
}

TEST(Compare, SeesAClockThatChangedAndCodeThatDidNot) {
  const auto comparison = compare(made_up_pairs(10, 4, [](Side& side) {
    side.results.machine.clock_hz /= 1.06;
    slow_down(side, compute_row, 1.06);
  }));
  EXPECT_EQ(verdict(comparison, compute_row, "time"), Verdict::inconclusive);
  EXPECT_TRUE(comparison.find(compute_row, "time")->why.starts_with("clock"));
}

TEST(Compare, DisturbedOrImpossibleTimesAreInvalid) {
  const auto comparison = compare(made_up_pairs(6, 4, [](Side& side) {
    point_named(side, triad).contaminated = 0.5;
    point_named(side, compute_row).time.median = 0;
  }));
  EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::invalid);
  EXPECT_EQ(verdict(comparison, compute_row, "time"), Verdict::invalid);
  EXPECT_EQ(exit_code(comparison, {}), 3);
  EXPECT_EQ(exit_code(comparison, {.times = false}), 0);
}

// Exact and deterministic classes, validity.

TEST(Compare, OneFlopMoreIsWorseAndOneLessIsBetter) {
  const auto more = compare(made_up_pairs(1, 1, [](Side& side) { ++point_named(side, triad).counts.operations.add; }));
  EXPECT_EQ(verdict(more, triad, "flops"), Verdict::worse);
  EXPECT_EQ(verdict(more, triad, "operations"), Verdict::worse);
  EXPECT_EQ(exit_code(more, {.times = false}), 1);
  const auto less = compare(made_up_pairs(1, 1, [](Side& side) { --point_named(side, triad).counts.operations.fma; }));
  EXPECT_EQ(verdict(less, triad, "flops"), Verdict::better);
}

TEST(Compare, AnUnfusedMultiplyAddIsWorseAtEqualFlops) {
  const auto comparison = compare(made_up_pairs(1, 1, [](Side& side) {
    auto& operations = point_named(side, triad).counts.operations;
    --operations.fma, ++operations.add, ++operations.mul;
  }));
  EXPECT_EQ(verdict(comparison, triad, "flops"), Verdict::same);
  EXPECT_EQ(verdict(comparison, triad, "operations"), Verdict::worse);
}

TEST(Compare, AByteMoreIsWorseOnlyUnderTheSameModel) {
  const auto a_byte_more = [](Side& side) { point_named(side, triad).counts.at(MemoryLevel::DRAM)->read += 1; };
  auto pairs = made_up_pairs(1, 1, a_byte_more);
  EXPECT_EQ(verdict(compare(pairs), triad, "bytes_DRAM"), Verdict::worse);
  pairs.front().next.model_hash = "other";
  EXPECT_EQ(verdict(compare(pairs), triad, "bytes_DRAM"), Verdict::not_comparable);
}

TEST(Compare, CountersHaveTolerancesInBothDirections) {
  const auto of = [](double dram, double l2) {
    auto pairs = made_up_pairs(3, 1);
    for (auto& [base, next] : pairs) {
      for (auto* const side : {&base, &next}) point_named(*side, triad).counts.traffic_source = Source::hardware;
      point_named(next, triad).counts.at(MemoryLevel::DRAM)->read *= dram;
      point_named(next, triad).counts.at(MemoryLevel::L2)->read *= l2;
    }
    return compare(pairs);
  };
  EXPECT_EQ(verdict(of(1.05, 1), triad, "bytes_DRAM"), Verdict::same);  // of 24 of the 32 bytes
  EXPECT_EQ(verdict(of(1.1, 1), triad, "bytes_DRAM"), Verdict::worse);
  EXPECT_EQ(verdict(of(0.9, 1), triad, "bytes_DRAM"), Verdict::better);
  EXPECT_EQ(verdict(of(1, 1.05), triad, "bytes_L2"), Verdict::worse);
}

TEST(Compare, RunsOfOneSideThatDisagreeInCountsAreInvalid) {
  auto pairs = made_up_pairs(3, 1);
  ++point_named(pairs[1].base, triad).counts.operations.add;
  EXPECT_EQ(verdict(compare(pairs), triad, "flops"), Verdict::invalid);
}

TEST(Compare, AMissingRowFailsUnlessAllowed) {
  const auto without = [](Side& side) { std::erase_if(side.results.points, [](auto& p) { return p.name == triad; }); };
  const auto pairs = made_up_pairs(1, 1, without);
  const auto comparison = compare(pairs);
  EXPECT_EQ(verdict(comparison, triad, "present"), Verdict::worse);
  EXPECT_EQ(exit_code(comparison, {.times = false}), 1);
  EXPECT_EQ(exit_code(compare(pairs, {.allow_missing = true}), {.times = false}), 0);
}

TEST(Compare, ANewFailureFailsAndANewRowIsANote) {
  const auto failed = compare(made_up_pairs(1, 1, [](Side& side) {
    std::erase_if(side.results.points, [](auto& p) { return p.name == triad; });
    side.results.failures.emplace_back(triad, "element 5: got 1, expected 2");
  }));
  EXPECT_EQ(verdict(failed, triad, "verified"), Verdict::worse);
  auto added = made_up_pairs(1, 1);
  added.front().next.results.points.push_back(added.front().next.results.points.front());
  added.front().next.results.points.back().name = "stream/new";
  const auto comparison = compare(added);
  EXPECT_EQ(exit_code(comparison, {.times = false}), 0);
  ASSERT_FALSE(comparison.notes.empty());
  EXPECT_NE(comparison.notes.back().find("stream/new"), std::string::npos);
}

TEST(Compare, AnInterruptedRunIsWorseAndNothingInCommonIsCode5) {
  const auto cut = compare(made_up_pairs(1, 1, [](Side& side) { side.results.complete = false; }));
  EXPECT_EQ(verdict(cut, "", "complete"), Verdict::worse);
  auto pairs = made_up_pairs(1, 1);
  pairs.front().base.results.points.clear();
  EXPECT_EQ(exit_code(compare(pairs), {}), 5);
}

// Factors.

TEST(Factors, MultiplyToTheRatioOfTimes) {
  const auto comparison = compare(made_up_pairs(6, 9, [](Side& side) {
    for (auto& point : side.results.points) {
      point.counts.operations.add += point.counts.operations.add / 3;
      for (auto& level : point.counts.traffic)
        if (level) level->read *= 1.2;
    }
    side.results.machine.clock_hz *= 0.97;
  }));
  ASSERT_FALSE(comparison.times.empty());
  for (const auto& change : comparison.times) {
    ASSERT_TRUE(change.factors) << change.row;
    EXPECT_NEAR(change.factors->product() / (change.next / change.base), 1, 1e-3) << change.row;
  }
}

Factors planted(const std::string& row, const std::function<void(Side&)>& change) {
  const auto comparison = compare(made_up_pairs(1, 9, change, {0, 0}));
  for (const auto& time : comparison.times)
    if (time.row == row) return time.factors.value();
  throw std::out_of_range(row);
}

TEST(Factors, AttributeEachPlantedChangeToItsCause) {
  const auto near = [](const Factors& f, double work, double traffic, double efficiency, double clock) {
    EXPECT_NEAR(f.work, work, 1e-6);
    EXPECT_NEAR(f.traffic, traffic, 1e-6);
    EXPECT_NEAR(f.efficiency, efficiency, 1e-6);
    EXPECT_NEAR(f.clock, clock, 1e-6);
  };
  near(planted(compute_row,
               [](Side& side) {
                 auto& o = point_named(side, compute_row).counts.operations;
                 o = o + o;
                 slow_down(side, compute_row, 2);
               }),
       2, 1, 1, 1);
  near(planted(triad,
               [](Side& side) {
                 auto& bytes = *point_named(side, triad).counts.at(MemoryLevel::DRAM);
                 bytes.read *= 1.1, bytes.written *= 1.1;
                 slow_down(side, triad, 1.1);
               }),
       1, 1.1, 1, 1);
  near(planted(triad, [](Side& side) { slow_down(side, triad, 1.1); }), 1, 1, 1.1, 1);
  near(planted(compute_row,
               [](Side& side) {
                 side.results.machine.clock_hz /= 1.1;
                 slow_down(side, compute_row, 1.1);
               }),
       1, 1, 1, 1.1);
}

// Looks at a growing number of pairs.

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

TEST(SequentialComparison, SpendsAlphaOnlyOnceOverAllItsLooks) {
  SequentialComparison sequence({});
  for (auto& pair : made_up_pairs(6, 1)) sequence.add(std::move(pair));
  double spent = 0;
  for (int look = 0; look < 8; ++look) spent += sequence.look().options.alpha;
  EXPECT_NEAR(spent, 0.05 * 8 / 9, 1e-12);
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

TEST(Remedies, AskForMorePairsTheNoisierARowIs) {
  Finding quiet{"a", "time"}, noisy{"b", "time"};
  quiet.ratio = {1.02, 1.01, 1.05}, noisy.ratio = {1.02, 0.9, 1.2};
  quiet.pairs = noisy.pairs = 6;
  EXPECT_GT(pairs_needed(noisy, {}, 10), pairs_needed(quiet, {}, 10));
  EXPECT_LE(pairs_needed(noisy, {}, 10), 40);
}

}  // namespace
}  // namespace roofline
