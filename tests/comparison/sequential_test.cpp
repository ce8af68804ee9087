#include "reporters/comparison/sequential.hpp"

#include <gtest/gtest.h>

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
