#include "bench/model/assessment.hpp"

#include <gtest/gtest.h>

#include "tests/example_results.hpp"

namespace roofline::assessment_test {
namespace {

/// The V100 of the NERSC talk: published ceilings, in one "thread".
Roofline v100() {
  return Roofline(
      {example::compute(Operation::fma, 7068.86, "vector", true, 1),
       example::compute(Operation::nofma, 3535.79, "vector", true, 1),
       example::memory(MemoryLevel::L1, "read", 14336, 1), example::memory(MemoryLevel::L2, "read", 2996.82, 1),
       example::memory(MemoryLevel::DRAM, "read", 828.758, 1)},
      1);
}

KernelPoint with_intensity(double gflops, double intensity_dram, bool fma = true) {
  KernelPoint point;
  point.fma = fma;
  point.counts.operations = {0, 0, 500'000'000, 0};
  if (!fma) point.counts.operations = {500'000'000, 500'000'000, 0, 0};
  point.counts.at(MemoryLevel::DRAM) = Traffic{1e9 / intensity_dram, 0};
  point.time.median = 1 / gflops;
  return point;
}

TEST(Efficiency, PublishedGppPointsKeepTheirEfficiency) {
  const auto nw1 = assess(v100(), with_intensity(2085.756683, 2.584785579));
  ASSERT_TRUE(nw1.roof);
  EXPECT_EQ(name(nw1.roof->bound), "DRAM");
  EXPECT_EQ(nw1.roof->level, MemoryLevel::DRAM);
  EXPECT_NEAR(nw1.roof->efficiency, 0.97367, 1e-5);
  const auto nw6 = assess(v100(), with_intensity(4692.209405, 13.21154434));
  EXPECT_EQ(name(nw6.roof->bound), "fma");
  EXPECT_FALSE(nw6.roof->level);
  EXPECT_NEAR(nw6.roof->efficiency, 0.66378, 1e-5);
}

// Shares of rounds, and their ranges: SelfConsistency.SharesIntervalsAndSumsHold.

TEST(Efficiency, AContractionFreeBuildIsJudgedByTheNoFmaRoofAndNotClamped) {
  const auto published = assess(v100(), with_intensity(3558.4, 11.09, false));  // 100.64 % in the talk's table
  EXPECT_EQ(name(published.roof->bound), "nofma");
  EXPECT_NEAR(published.roof->efficiency, 1.0064, 1e-4);
  EXPECT_FALSE(above_roof(published));
  EXPECT_TRUE(above_roof(assess(v100(), with_intensity(3800, 11.09, false))));
}

/// `point` sampled in rounds of these seconds, with DRAM's read ceiling at these parts of its rate.
KernelPoint in_rounds(KernelPoint point, const std::vector<double>& seconds, const std::vector<double>& dram) {
  Probe probe{"ceiling/bandwidth/DRAM/read/threads:1", {}};
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const auto round = static_cast<int>(i);
    for (const double factor : {1.5, 1.0, 1.2}) point.samples.push_back({round, 1.0 * round, factor * seconds[i]});
    probe.rates.push_back(828.758e9 * dram[i]);
  }
  point.probes = {probe};
  return point;
}

TEST(Efficiency, OnlyAWholeRangeAboveTheRoofContradictsTheModel) {
  const auto once = with_intensity(2085.756683, 2.584785579);
  const double t = 0.9 * once.time.median;  // 108 % of DRAM
  const std::vector<double> six(6, t), as_ever(6, 1);
  auto one_below = six;
  one_below[2] *= 1.2;
  EXPECT_TRUE(above_roof(assess(v100(), in_rounds(once, six, as_ever))));
  EXPECT_FALSE(above_roof(assess(v100(), in_rounds(once, one_below, as_ever))));
  EXPECT_FALSE(above_roof(assess(v100(), in_rounds(once, {t, t, t}, {1, 1, 1})))) << "which may be chance";
}

TEST(Efficiency, AboveWhatSplitLoadsTakeIsNotAboveARoof) {
  Assessment assessment;
  assessment.roof = Judgement{1, 0.5, MemoryLevel::DRAM, MemoryLevel::DRAM};
  assessment.mix = Judgement{1,
                             1.4,
                             {Resource::Kind::split_loads, MemoryLevel::L1},
                             MemoryLevel::L1};  // in vectors that may be longer than the CPU's
  EXPECT_FALSE(above_roof(assessment));
  EXPECT_EQ(highest_share(assessment), 0.5);
  assessment.mix->bound = {Resource::Kind::unpaired_lines, MemoryLevel::DRAM};
  EXPECT_TRUE(above_roof(assessment)) << "tried in five ways, the fastest of which is the ceiling";
  assessment.mix->bound = {MemoryLevel::DRAM, Mix::copy};
  EXPECT_TRUE(above_roof(assessment));
  EXPECT_EQ(highest_share(assessment), 1.4);
}

TEST(Efficiency, AKernelWithoutFlopsIsJudgedByItsSlowestLevel) {
  const auto roofline = example::roofline();
  KernelPoint copy;
  copy.threads = 2;
  copy.counts.at(MemoryLevel::L1) = Traffic{8e9, 8e9};    // 16 ms at 1000 GB/s
  copy.counts.at(MemoryLevel::DRAM) = Traffic{4e9, 2e9};  // 91 ms at 65.9 GB/s
  copy.time.median = 0.1;
  const auto assessment = assess(roofline, copy);
  ASSERT_TRUE(assessment.roof);
  EXPECT_EQ(name(assessment.roof->bound), "DRAM");
  EXPECT_FALSE(assessment.roof->attainable);
  EXPECT_NEAR(assessment.roof->efficiency, 6 / 65.9 / 0.1, 1e-12);
  EXPECT_EQ(name(assessment.mix->bound), "DRAM copy");
  copy.counts.at(MemoryLevel::L1) = Traffic{80e9, 80e9};
  EXPECT_EQ(name(assess(roofline, copy).roof->bound), "L1");
  EXPECT_EQ(reported_level(copy, assess(roofline, copy)), MemoryLevel::L1);
}

TEST(Efficiency, NothingIsSaidWithoutFittingCeilings) {
  auto point = with_intensity(100, 1);
  EXPECT_FALSE(assess(Roofline{}, point).roof);
  point.threads = 2;
  EXPECT_FALSE(assess(v100(), point).roof) << "ceilings of another thread count";
  EXPECT_FALSE(assess(v100(), KernelPoint{}).roof) << "no time";
}

TEST(Efficiency, BandwidthIsOfTheBoundingLevelElseTheOutermost) {
  const auto point = with_intensity(4692.2, 13.2);
  EXPECT_EQ(reported_level(point, assess(v100(), point)), MemoryLevel::DRAM);
  EXPECT_NEAR(*bandwidth(point, MemoryLevel::DRAM), 4692.2e9 / 13.2, 1e3);
  EXPECT_FALSE(bandwidth(point, MemoryLevel::L2));
  EXPECT_FALSE(outermost_level(Counts{}));
}

}  // namespace
}  // namespace roofline::assessment_test
