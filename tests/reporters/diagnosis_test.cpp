#include <gtest/gtest.h>

#include "bench/model/assessment.hpp"
#include "reporters/view/explain.hpp"
#include "tests/example_results.hpp"

namespace roofline::diagnosis_test {
namespace {

const Roofline ceilings = example::roofline();

TEST(Diagnosis, GainsEndWhereTheNextResourceBinds) {
  auto results = example::results();
  auto& point = results.points[0];
  const auto diagnosis_of = [&](Operations per_byte, double efficiency) {
    point = example::point(ceilings, "x/y", 1e6, per_byte, {{{56, 8}, {33, 8}, {17, 8}, {17, 8}}}, efficiency);
    assess(results);
    return *diagnose(ceilings, point);
  };
  const auto d = diagnosis_of({0, 0, 1, 9}, 0.8);
  ASSERT_TRUE(d.second);
  EXPECT_EQ(d.cause, TimeCause::divider);
  EXPECT_DOUBLE_EQ(d.gain, 1 / d.second->share);
  // A third of the bytes are lines that streaming stores would not read. How fast the row is then nobody knows.
  EXPECT_EQ(diagnosis_of({0, 0, 10, 0}, 0.8).cause, TimeCause::bytes);
  point.counts.overwritten = 8e6;
  auto plain = ceilings.ceilings();
  std::erase_if(plain, [](const Ceiling& c) { return facts(c.mix).streams; });
  const auto spared = *diagnose(Roofline(plain, ceilings.threads()), point);
  EXPECT_EQ(spared.cause, TimeCause::overwritten);
  EXPECT_NEAR(spared.spared, 8.0 / 25, 1e-9);
  EXPECT_EQ(spared.gain, 0) << "no ceiling has such stores";
  for (const double rate : {50.0, 30.0}) {  // GB/s; a triad has about 50
    auto with_stores = plain;
    with_stores.push_back(example::memory(MemoryLevel::DRAM, "triad_nt", rate));
    const auto d = *diagnose(Roofline(std::move(with_stores), ceilings.threads()), point);
    EXPECT_EQ(d.cause, rate > 40 ? TimeCause::overwritten : TimeCause::bytes) << "fewer bytes may take as long";
    EXPECT_EQ(d.spared > 0, rate > 40);
    if (rate > 40) {
      const double now = ceilings.level_time(MemoryLevel::DRAM, point.counts)->seconds, then = 17e6 / (1e9 * rate);
      EXPECT_NEAR(d.gain, 1 / (1 - d.top.share * (1 - then / now)), 1e-9);
    }
  }
  point.counts.at(MemoryLevel::L1)->written *= 3;
  EXPECT_EQ(diagnose(Roofline(plain, ceilings.threads()), point)->cause, TimeCause::bytes) << "three passes over it";
  point.counts.at(MemoryLevel::L1)->written /= 3;
  point.counts.evaded = 8e6;
  EXPECT_EQ(diagnose(ceilings, point)->cause, TimeCause::bytes) << "this machine does not read them";
}

TEST(Diagnosis, LinesWithoutANeighbourAreTheCauseOnlyWhereTheyAreSlower) {
  for (const double rate : {20.0, 60.0}) {  // GB/s; streams have about 50
    auto with_skips = ceilings.ceilings();
    with_skips.push_back(example::memory(MemoryLevel::DRAM, "stride:16", rate));
    const Roofline roofline(std::move(with_skips), ceilings.threads());
    KernelPoint point;
    point.name = "a", point.threads = 2;
    const double seconds = 64e6 / (0.7 * 1e9 * rate);
    point.time = {seconds, seconds, seconds};
    point.counts.operations.fma = 1'000'000;
    point.counts.at(MemoryLevel::L1) = Traffic{16e6, 0};
    point.counts.at(MemoryLevel::DRAM) = Traffic{64e6, 0};
    point.counts.unpaired = 64e6;
    point.assessment = assess(roofline, point);
    EXPECT_EQ(diagnose(roofline, point)->cause, rate < 50 ? TimeCause::unpaired : TimeCause::in_vain) << rate;
  }
}

}  // namespace
}  // namespace roofline::diagnosis_test
