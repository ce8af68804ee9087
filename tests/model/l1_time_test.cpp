#include <gtest/gtest.h>

#include "bench/model/assessment.hpp"
#include "tests/example_results.hpp"

// Loads that L1 serves at rates of their own: of vectors that cross the end of a line, of numbers that are gathered.

namespace roofline::l1_time_test {
namespace {

constexpr auto L1 = MemoryLevel::L1;
using example::memory;

const std::vector<Ceiling> plain{memory(L1, "read", 400), memory(L1, "triad", 600)};

Roofline with(std::vector<Ceiling> more) {
  more.insert(more.end(), plain.begin(), plain.end());
  return Roofline(std::move(more), 2);
}

Roofline with_both() { return with({memory(L1, "read_split", 200), memory(L1, "gather", 100)}); }

/// 40 GB read, nothing written.
Counts reads(std::optional<double> split, std::optional<double> gathered) {
  Counts c;
  c.operations.fma = 1'000'000'000;
  c.at(L1) = Traffic{40e9, 0};
  c.split = split, c.gathered = gathered;
  return c;
}

TEST(CostlyLoads, AreHeldAgainstTheirOwnCeilings) {
  const auto time = with_both().level_time(L1, reads(10e9, 20e9));
  EXPECT_DOUBLE_EQ(time->split, 10.0 / 200);
  EXPECT_DOUBLE_EQ(time->gathered, 20.0 / 100);
  EXPECT_DOUBLE_EQ(time->seconds, 10.0 / 200 + 20.0 / 100 + 10.0 / 400);
  EXPECT_EQ(name(time->resource), "L1 gathers");
  EXPECT_EQ(name(with_both().level_time(L1, reads(39e9, 1e9))->resource), "L1 split loads");
  EXPECT_EQ(name(with_both().level_time(L1, reads(1e9, 0))->resource), "L1 read");
}

TEST(CostlyLoads, LeaveTheMixOfTheOthersWhatItIs) {
  auto counts = reads(0, 10e9);
  counts.at(L1) = Traffic{30e9, 10e9};  // a triad next to the gathers
  EXPECT_DOUBLE_EQ(with_both().level_time(L1, counts)->seconds, 10.0 / 100 + 30.0 / 600);
}

TEST(CostlyLoads, AreLikeOthersWhereTheyAreNotKnownOrHaveNoCeiling) {
  EXPECT_DOUBLE_EQ(with_both().level_time(L1, reads({}, {}))->seconds, 40.0 / 400);
  EXPECT_DOUBLE_EQ(with({}).level_time(L1, reads(10e9, 20e9))->seconds, 40.0 / 400);
  EXPECT_EQ(with({}).level_time(L1, reads(10e9, 20e9))->split, 0);
}

TEST(CostlyLoads, GatheredByInstructionsAreHeldAgainstThese) {
  auto counts = reads(0, 20e9);
  const auto both = with({memory(L1, "gather", 100), memory(L1, "gather_instructions", 40)});
  EXPECT_DOUBLE_EQ(both.level_time(L1, counts)->gathered, 20.0 / 100);
  counts.gathers_by_instructions = true;
  EXPECT_DOUBLE_EQ(both.level_time(L1, counts)->gathered, 20.0 / 40);
  EXPECT_DOUBLE_EQ(with_both().level_time(L1, counts)->gathered, 20.0 / 100) << "no slower than the fastest way";
}

TEST(CostlyLoads, AreNoMoreThanWhatIsRead) {
  EXPECT_DOUBLE_EQ(with_both().level_time(L1, reads(30e9, 30e9))->seconds, 30.0 / 200 + 10.0 / 100);
}

TEST(CostlyLoads, AreTheBoundThatTablesName) {
  KernelPoint point;
  point.counts = reads(0, 40e9), point.time = {1, 1, 1}, point.threads = 2;
  auto assessment = assess(with_both(), point);
  EXPECT_EQ(name(assessment.mix->bound), "L1 gathers");
  EXPECT_EQ(what_bounds(assessment), "gathers");
  EXPECT_NEAR(assessment.mix->efficiency, 0.4, 1e-12);
  point.counts = reads(40e9, 0);
  assessment = assess(with_both(), point);
  EXPECT_EQ(what_bounds(assessment), "split loads");
  EXPECT_EQ(name(assessment.roof->bound), "L1") << "the roof is that of the best mix";
}

}  // namespace
}  // namespace roofline::l1_time_test
