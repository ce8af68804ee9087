#include "reporters/comparison/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/comparison/made_up.hpp"

namespace roofline::comparison_test {
namespace {

using example::compute_row;
using example::made_up_pairs;
using example::point_named;
using example::slow_down;
using example::triad;
using example::verdict;

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
  const auto comparison = compare(made_up_pairs(12, 3));
  EXPECT_EQ(comparison.count(Verdict::undecided), 0);
  EXPECT_TRUE(comparison.suggestions.empty());
}

// Times.

TEST(Compare, FindsATenPercentSlowdownAndNothingElse) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto comparison = compare(made_up_pairs(10, seed, [](Side& side) { slow_down(side, triad, 1.1); }));
    EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::worse) << seed;
    EXPECT_EQ(comparison.count(Verdict::worse), 1) << seed;
    EXPECT_EQ(exit_code(comparison, {}), 1);
    EXPECT_EQ(exit_code(comparison, {.times = false}), 0);
  }
}

TEST(Compare, CallsASpeedUpBetterAndNoAlarm) {
  const auto comparison = compare(made_up_pairs(10, 1, [](Side& side) { slow_down(side, compute_row, 0.85); }));
  EXPECT_EQ(verdict(comparison, compute_row, "time"), Verdict::better);
  EXPECT_EQ(exit_code(comparison, {true, true}), 0);
}

/// Two stored runs, and what a row of the new one takes longer.
Comparison one_pair(double factor, const ComparisonOptions& options = {}, std::optional<Drift> drift = {}) {
  return compare(made_up_pairs(1, 5,
                               [&](Side& side) {
                                 slow_down(side, triad, factor);
                                 side.results.drift = drift;
                               }),
                 options);
}

TEST(Compare, OfTwoRunsTellsOnlyChangesAboveTheDriftAndTheFloor) {
  EXPECT_EQ(verdict(one_pair(1.12), triad, "time"), Verdict::undecided);
  EXPECT_EQ(verdict(one_pair(1.3), triad, "time"), Verdict::worse);
  EXPECT_EQ(verdict(one_pair(0.7), triad, "time"), Verdict::better);
}

TEST(Compare, TakesTheDriftThatTheHostHasShown) {
  const Drift quiet{0.02, 6, {}}, loud{0.3, 6, {}}, loud_row{0.02, 6, {{triad, 0.3}}};
  EXPECT_EQ(verdict(one_pair(1.12, {}, quiet), triad, "time"), Verdict::worse);
  EXPECT_EQ(verdict(one_pair(1, {}, quiet), triad, "time"), Verdict::same);
  EXPECT_EQ(verdict(one_pair(1.3, {}, loud), triad, "time"), Verdict::undecided);
  EXPECT_EQ(verdict(one_pair(1.3, {}, loud_row), triad, "time"), Verdict::undecided);
  EXPECT_EQ(verdict(one_pair(1.3, {.drift = 0.02}, loud), triad, "time"), Verdict::worse);
}

TEST(Compare, ARangeIsNeverNarrowerThanTheDrift) {
  for (const double drift : {0.02, 0.1, 0.3}) {
    const auto comparison = one_pair(1.2, {.drift = drift});
    for (const auto& finding : comparison.findings) {
      if (finding.metric != "time") continue;
      const auto& ratio = finding.ratio.value();
      EXPECT_LE(ratio.range->low, ratio.estimate / (1 + drift) + 1e-9);
      EXPECT_GE(ratio.range->high, ratio.estimate * (1 + drift) - 1e-9);
    }
  }
}

TEST(Compare, ARunAgainstItselfIsTheSameInEveryRowHoweverFewRoundsItHas) {
  for (const int rounds : {1, 3, 12}) {
    auto side = example::made_up_side(4);
    for (auto& point : side.results.points) point.samples.resize(static_cast<std::size_t>(rounds));
    const auto comparison = compare({{side, side}});
    for (const auto& finding : comparison.findings) {
      if (finding.metric != "time") continue;
      EXPECT_EQ(finding.verdict, Verdict::same) << finding.row;
    }
    EXPECT_EQ(exit_code(comparison, {.undecided_fails = true}), 0);
  }
}

TEST(Compare, GivesNoVerdictOfTimeFromFewerThanSixRoundsASide) {
  const auto of_rounds = [](std::size_t rounds) {
    auto pairs = made_up_pairs(1, 5, [](Side& side) { slow_down(side, triad, 3); });
    for (auto* const side : {&pairs[0].base, &pairs[0].next}) {
      std::erase_if(side->results.points, [](const auto& point) { return point.name != triad; });
      for (auto& point : side->results.points) point.samples.resize(rounds);
    }
    return compare(pairs);
  };
  EXPECT_EQ(verdict(of_rounds(5), triad, "time"), Verdict::undecided);
  EXPECT_EQ(of_rounds(5).find(triad, "time")->cause, Cause::too_few_rounds);
  EXPECT_EQ(exit_code(of_rounds(5), {}), 0);
  EXPECT_EQ(verdict(of_rounds(6), triad, "time"), Verdict::worse);
}

TEST(Compare, ShowsMeasuredTimesNextToTheRatioBesideTheRoofs) {
  const auto comparison = compare(made_up_pairs(1, 4,
                                                [](Side& side) {
                                                  example::scale_level(side, MemoryLevel::DRAM, 0.5);
                                                  slow_down(side, triad, 2);
                                                },
                                                {0, 0}),
                                  {.drift = 0.01});
  const auto& finding = *comparison.find(triad, "time");
  EXPECT_NEAR(*finding.next / *finding.base, 2, 1e-9);
  EXPECT_NEAR(finding.ratio->estimate, 1, 1e-9);
  EXPECT_TRUE(finding.ratio->beside_roofs);
  EXPECT_EQ(finding.verdict, Verdict::same);
}

TEST(Compare, NeedsAChangeByTheClockAndBesideTheRoofs) {
  const auto after = [](double roof, double kernel) {
    return compare(made_up_pairs(1, 4,
                                 [&](Side& side) {
                                   example::scale_level(side, MemoryLevel::DRAM, 1 / roof);
                                   slow_down(side, triad, kernel);
                                 },
                                 {0, 0}),
                   {.drift = 0.01});
  };
  EXPECT_EQ(verdict(after(1, 1.6), triad, "time"), Verdict::worse);
  EXPECT_EQ(verdict(after(1.6, 1), triad, "time"), Verdict::undecided) << "the launch takes as long as before";
  EXPECT_EQ(verdict(after(1 / 1.6, 1), triad, "time"), Verdict::undecided) << "the launch takes as long as before";
  EXPECT_EQ(verdict(after(1.6, 1.2), triad, "time"), Verdict::undecided) << "it takes longer, with a larger share";
  EXPECT_EQ(verdict(after(1.2, 1.6), triad, "time"), Verdict::worse);
}

TEST(Compare, SeesAChangeBesideRoofsThatScatterByTheClockTogetherWithTheRow) {
  // Memory is up to 1.8 times as fast in one round as in another.
  const auto scatter = [](Side& side) {
    auto& point = point_named(side, triad);
    for (std::size_t i = 0; i < point.samples.size(); ++i) {
      const double faster = 1 + 0.2 * static_cast<double>(i * 7 % 5);
      point.samples[i].seconds /= faster;
      for (auto& probe : point.probes) probe.rates[i] *= faster;
    }
  };
  auto pairs = made_up_pairs(1, 4, [](Side& side) { slow_down(side, triad, 1.3); });
  scatter(pairs[0].base), scatter(pairs[0].next);
  EXPECT_EQ(verdict(compare(pairs, {.drift = 0.1}), triad, "time"), Verdict::worse);
}

TEST(Compare, TakesRoofsFromTheSamplesNextToEachRound) {
  auto pairs = made_up_pairs(1, 1, [](Side& side) { slow_down(side, triad, 1.01); }, {0, 0});
  // A slower access mix of DRAM was sampled next to the row, and was found 30 % faster at another time of the new run.
  const auto sample_updates = [](Side& side, double factor) {
    auto& roofline = side.results.roofline;
    auto ceilings = roofline.ceilings();
    auto update = *roofline.bandwidth(MemoryLevel::DRAM);
    const double rate = update.rate / 2;
    update.name = "update", update.mix = Mix::update, update.rate = rate * factor;
    ceilings.push_back(update);
    roofline = Roofline(ceilings, roofline.threads());
    point_named(side, triad).probes = {{update.name, std::vector<double>(example::made_up_rounds, rate)}};
  };
  sample_updates(pairs[0].base, 1), sample_updates(pairs[0].next, 1.3);
  EXPECT_NEAR(compare(pairs).find(triad, "time")->ratio->estimate, 1.01, 1e-9);
}

TEST(Compare, NeedsAChangeAboveTheFloorOfTheRow) {
  const auto pairs = made_up_pairs(10, 2, [](Side& side) { slow_down(side, triad, 1.1); });
  EXPECT_EQ(verdict(compare(pairs), triad, "time"), Verdict::worse);
  EXPECT_EQ(verdict(compare(pairs, {.floor = 0.15}), triad, "time"), Verdict::same);
  EXPECT_EQ(verdict(compare(pairs, {.row_floors = {{triad, 0.15}}}), triad, "time"), Verdict::same);
}

TEST(Compare, IsSurerOfEachRowTheMoreRowsThereAre) {
  auto pairs = made_up_pairs(1, 3);
  const auto width = [](const Comparison& comparison) {
    const auto range = comparison.find(triad, "time")->ratio->range.value();
    return range.high - range.low;
  };
  const auto of_many = width(compare(pairs, {.drift = 0}));
  for (auto* const side : {&pairs[0].base, &pairs[0].next})
    std::erase_if(side->results.points, [](const auto& point) { return point.name != triad; });
  EXPECT_GT(of_many, width(compare(pairs, {.drift = 0})));
}

TEST(Compare, NeedsAChangeThatTheTimerResolves) {
  auto pairs = made_up_pairs(10, 2, [](Side& side) { slow_down(side, triad, 1.1); });
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

// The machine's rates next to the rows.

TEST(Compare, ARowOfAnotherSizeIsNotCompared) {
  const auto other_size = [](Side& side) {
    auto& point = point_named(side, triad);
    point.problem = "n:7", point.counts.operations.fma += 1;
    slow_down(side, triad, 2);
  };
  auto pairs = made_up_pairs(10, 1, other_size);
  EXPECT_EQ(verdict(compare(pairs), triad, "flops"), Verdict::worse) << "the base does not say its size";
  for (auto& pair : pairs) point_named(pair.base, triad).problem = "n:6";
  const auto comparison = compare(pairs);
  EXPECT_EQ(verdict(comparison, triad, "problem"), Verdict::undecided) << "on one machine the code may have chosen it";
  EXPECT_FALSE(comparison.find(triad, "time"));
  EXPECT_FALSE(comparison.find(triad, "flops"));
  EXPECT_EQ(exit_code(comparison, {}), 0) << "the other rows are the same";
  for (auto& pair : pairs) pair.next.fingerprint = "another machine";
  EXPECT_EQ(verdict(compare(pairs), triad, "problem"), Verdict::not_comparable);
  point_named(pairs[3].base, triad).problem = "n:5";
  EXPECT_EQ(verdict(compare(pairs), triad, "problem"), Verdict::invalid) << "runs of one side disagree";
}

TEST(Compare, DoesNotBlameCodeForWhatTheMachineGave) {
  for (const double speed : {0.7, 0.96, 1.3}) {
    const auto comparison = compare(made_up_pairs(10, 4, [&](Side& side) {
      example::scale_level(side, MemoryLevel::DRAM, speed);
      slow_down(side, triad, 1 / speed);
    }));
    EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::same) << comparison.find(triad, "time")->why;
  }
}

TEST(Compare, SeesASlowdownThroughAMachineThatBecameFaster) {
  const auto comparison = compare(made_up_pairs(10, 4, [](Side& side) {
    example::scale_level(side, MemoryLevel::DRAM, 1.06);
    slow_down(side, triad, 1.1 / 1.06);
  }));
  EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::worse);
  EXPECT_NEAR(comparison.find(triad, "time")->ratio->estimate, 1.1, 0.01);
}

TEST(Compare, WithoutRoofsBesideTakesTheTimesAsTheyAre) {
  auto pairs = made_up_pairs(10, 4, [](Side& side) { slow_down(side, triad, 1.15); });
  for (auto& [base, next] : pairs)
    for (auto* const side : {&base, &next}) {
      side->results.ceilings_origin = {};
      for (auto& point : side->results.points) point.probes.clear();
    }
  EXPECT_EQ(verdict(compare(pairs), triad, "time"), Verdict::worse);
}

TEST(Compare, ImpossibleTimesAreInvalid) {
  const auto comparison = compare(made_up_pairs(6, 4, [](Side& side) {
    point_named(side, triad).assessment.roof.emplace().efficiency = 1.5;
    point_named(side, compute_row).time.median = 0;
  }));
  EXPECT_EQ(verdict(comparison, triad, "time"), Verdict::invalid);
  EXPECT_EQ(verdict(comparison, compute_row, "time"), Verdict::invalid);
  EXPECT_EQ(exit_code(comparison, {}), 3);
  EXPECT_EQ(exit_code(comparison, {.times = false}), 0);
}

// Rows without a result.

TEST(Compare, ARowThatWasNotMeasuredIsNoRegression) {
  const auto unmeasured = compare(made_up_pairs(1, 4, [](Side& side) {
    std::erase_if(side.results.points, [](const auto& point) { return point.name == triad; });
    side.unmeasured[triad] = "interrupted";
  }));
  EXPECT_EQ(verdict(unmeasured, triad, "measured"), Verdict::undecided);
  EXPECT_EQ(unmeasured.find(triad, "measured")->why, "not measured: interrupted (new)");
  EXPECT_EQ(exit_code(unmeasured, {.times = false}), 0);
  EXPECT_EQ(exit_code(unmeasured, {.times = false, .undecided_fails = true}), 3);
}

}  // namespace
}  // namespace roofline::comparison_test
