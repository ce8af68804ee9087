#include "bench/model/assessment.hpp"

#include <gtest/gtest.h>

#include "tests/example_results.hpp"

namespace roofline {
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
  EXPECT_EQ(nw1.roof->bound, "DRAM");
  EXPECT_EQ(nw1.roof->level, MemoryLevel::DRAM);
  EXPECT_NEAR(nw1.roof->efficiency, 0.97367, 1e-5);
  const auto nw6 = assess(v100(), with_intensity(4692.209405, 13.21154434));
  EXPECT_EQ(nw6.roof->bound, "fma");
  EXPECT_FALSE(nw6.roof->level);
  EXPECT_NEAR(nw6.roof->efficiency, 0.66378, 1e-5);
}

TEST(Efficiency, AContractionFreeBuildIsJudgedByTheNoFmaRoofAndNotClamped) {
  const auto published = assess(v100(), with_intensity(3558.4, 11.09, false));  // 100.64 % in the talk's table
  EXPECT_EQ(published.roof->bound, "nofma");
  EXPECT_NEAR(published.roof->efficiency, 1.0064, 1e-4);
  EXPECT_FALSE(above_roof(published));
  EXPECT_TRUE(above_roof(assess(v100(), with_intensity(3800, 11.09, false))));
}

TEST(Efficiency, AboveTheRoofOfTheMixCountsToo) {
  Assessment assessment;
  EXPECT_FALSE(above_roof(assessment));
  assessment.mix = Judgement{1e9, 1.051, "DRAM copy", MemoryLevel::DRAM};
  EXPECT_TRUE(above_roof(assessment));
}

TEST(Efficiency, DramIsTakenAtThePaceItHadBesideThePoint) {
  auto point = with_intensity(2085.756683, 2.584785579);
  point.dram_pace = Pace{0.4, 0.6};
  const auto half = assess(v100(), point);
  EXPECT_EQ(half.roof->bound, "DRAM");
  EXPECT_NEAR(half.roof->efficiency, 2 * 0.97367, 2e-5);
  auto compute_bound = with_intensity(4692.209405, 13.21154434);
  compute_bound.dram_pace = Pace{2, 2};
  EXPECT_NEAR(assess(v100(), compute_bound).roof->efficiency, 0.66378, 1e-5);

  KernelPoint copy;
  copy.threads = 2;
  copy.counts.at(MemoryLevel::DRAM) = Traffic{4e9, 2e9};
  copy.time.median = 0.1;
  copy.dram_pace = Pace{0.5, 0.5};
  EXPECT_NEAR(assess(example::roofline(), copy).roof->efficiency, 2 * 6 / 65.9 / 0.1, 1e-12);
}

TEST(Efficiency, ArithmeticIsTakenAtTheClockItHadBesideThePoint) {
  auto ceilings = v100().ceilings();
  for (auto& ceiling : ceilings)
    if (ceiling.kind == Ceiling::Kind::compute) ceiling.core_clock = 4e9;
  const Roofline timed(ceilings, v100().threads());
  auto point = with_intensity(4692.209405, 13.21154434);
  EXPECT_NEAR(assess(timed, point).roof->efficiency, 0.66378, 1e-5) << "without the point's clock";
  point.core_clock = 3.6e9;
  EXPECT_NEAR(assess(timed, point).roof->efficiency, 0.66378 / 0.9, 1e-5);
}

TEST(Efficiency, SaysThatTheCoresLayElsewhereThanForARoofThatTheyShare) {
  auto ceilings = example::roofline().ceilings();
  for (auto& ceiling : ceilings)
    if (ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == MemoryLevel::DRAM) ceiling.core_distance = 30e-9;
  const Roofline roofline(ceilings, example::roofline().threads());
  KernelPoint point;
  point.threads = 2, point.time.median = 1, point.counts.operations.add = 1;
  const auto elsewhere = [&](double distance) {
    point.core_distance = distance;
    return assess(roofline, point).elsewhere;
  };
  EXPECT_FALSE(elsewhere(0)) << "not looked at, or no matter";
  EXPECT_FALSE(elsewhere(35e-9));
  EXPECT_TRUE(elsewhere(150e-9));
  EXPECT_TRUE(elsewhere(15e-9)) << "nearer is another place, too";
  point.counts.at(MemoryLevel::DRAM) = Traffic{1e12, 0};
  EXPECT_TRUE(above_roof(assess(roofline, (point.core_distance = 30e-9, point))));
  EXPECT_FALSE(above_roof(assess(roofline, (point.core_distance = 150e-9, point)))) << "of a roof that is not its own";
}

TEST(Efficiency, AboveWhatSplitLoadsTakeIsNotAboveARoof) {
  Assessment assessment;
  assessment.roof = Judgement{1, 0.5, "DRAM", MemoryLevel::DRAM};
  assessment.mix =
      Judgement{1, 1.4, "L1 split loads", MemoryLevel::L1};  // in vectors that may be longer than the CPU's
  EXPECT_FALSE(above_roof(assessment));
  EXPECT_EQ(highest_share(assessment), 0.5);
  assessment.mix->bound = "DRAM lone lines";
  EXPECT_TRUE(above_roof(assessment)) << "tried in five ways, the fastest of which is the ceiling";
  assessment.mix->bound = "DRAM copy";
  EXPECT_TRUE(above_roof(assessment));
  EXPECT_EQ(highest_share(assessment), 1.4);
}

TEST(Efficiency, ThePaceOfDramIsThatOfNoOtherLevel) {
  KernelPoint copy;
  copy.threads = 2;
  copy.counts.at(MemoryLevel::L2) = Traffic{40e9, 20e9};
  copy.counts.at(MemoryLevel::DRAM) = Traffic{4e6, 2e6};
  copy.counts.operations.add = 1000000;
  copy.time.median = 0.5;
  const auto full = assess(example::roofline(), copy);
  ASSERT_EQ(full.roof->bound, "L2");
  for (const double pace : {0.5, 2.0}) {
    copy.dram_pace = Pace{pace, pace};
    const auto other = assess(example::roofline(), copy);
    EXPECT_EQ(other.roof->efficiency, full.roof->efficiency) << pace;
    EXPECT_EQ(other.mix->efficiency, full.mix->efficiency) << pace;
  }
}

TEST(Efficiency, ThePaceOfLoneLinesIsNotThatOfStreams) {
  auto roof = example::roofline().ceilings();
  roof.push_back(example::memory(MemoryLevel::DRAM, "stride:16", 20));
  const Roofline roofline(roof, 2);
  KernelPoint reads;
  reads.threads = 2;
  reads.counts.at(MemoryLevel::DRAM) = Traffic{10e9, 0};
  reads.counts.lone = 10e9;
  reads.counts.operations.add = 1000000;
  reads.time.median = 1;
  const auto full = assess(roofline, reads);
  reads.dram_pace = Pace{1.25, 1.25}, reads.lone_pace = true;
  const auto paced = assess(roofline, reads);
  EXPECT_NEAR(paced.mix->efficiency, 10.0 / 25, 1e-12);
  EXPECT_EQ(paced.roof->efficiency, full.roof->efficiency);
  EXPECT_EQ(paced_ceiling(roofline, reads)->mix, Mix::stride16);
  reads.lone_pace = false;
  EXPECT_NEAR(assess(roofline, reads).mix->efficiency, 10.0 / 20, 1e-12);
  EXPECT_EQ(paced_ceiling(roofline, reads), roofline.matching_dram(reads.counts));
}

TEST(Efficiency, PairsOfSamplesDecideWhereThereAreSome) {
  auto point = with_intensity(2085.756683, 2.584785579);
  point.dram_pace = Pace{0.4, 0.6};
  // Half of the samples met half the memory: the kernel took twice as long in those, and was at its roof in all.
  point.paced_time = Interval{point.time.median, point.time.median, point.time.median};
  EXPECT_NEAR(assess(v100(), point).roof->efficiency, 0.97367, 2e-5);
}

TEST(Efficiency, APaceSaysWhenItDiffersAndWhenItMoves) {
  EXPECT_FALSE((Pace{0.97, 1.01}.differs() || Pace{0.97, 1.01}.moved()));
  EXPECT_TRUE((Pace{0.55, 0.56}.differs() && !Pace{0.55, 0.56}.moved()));
  EXPECT_TRUE((Pace{0.9, 1.1}.moved() && !Pace{0.9, 1.1}.differs()));
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
  EXPECT_EQ(assessment.roof->bound, "DRAM");
  EXPECT_FALSE(assessment.roof->attainable);
  EXPECT_NEAR(assessment.roof->efficiency, 6 / 65.9 / 0.1, 1e-12);
  EXPECT_EQ(assessment.mix->bound, "DRAM copy");
  copy.counts.at(MemoryLevel::L1) = Traffic{80e9, 80e9};
  EXPECT_EQ(assess(roofline, copy).roof->bound, "L1");
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
}  // namespace roofline
