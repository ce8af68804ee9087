#include "reporters/view/time_breakdown.hpp"

#include <gtest/gtest.h>

#include "reporters/tables/tables.hpp"
#include "tests/example_results.hpp"
#include "tests/shown.hpp"

namespace roofline::time_breakdown_test {
namespace {

/// 100 G fused operations and 3 read, 1 written bytes per DRAM triad line, in ten seconds on two threads.
KernelPoint triad() {
  KernelPoint point;
  point.name = "stream/triad/n:100", point.family = "stream", point.threads = 2, point.time.median = 10;
  point.counts.operations.fma = 129'000'000'000;  // one second at the FMA ceiling
  point.counts.at(MemoryLevel::L1) = Traffic{790e9 * 2 / 3, 790e9 / 3};
  point.counts.at(MemoryLevel::DRAM) = Traffic{3e9, 1e9};
  return point;
}

TEST(TimeBreakdown, TakesEveryResourceAtTheCeilingOfItsMix) {
  const auto roofline = example::roofline();
  const auto account = time_breakdown(roofline, triad());
  EXPECT_NEAR(account.compute.value(), 1, 0.01);
  EXPECT_DOUBLE_EQ(account.levels[0].value(), 1);
  EXPECT_FALSE(account.levels[1]);
  const double dram = 4e9 / roofline.bandwidth(MemoryLevel::DRAM, Mix::triad)->rate;
  EXPECT_DOUBLE_EQ(account.levels[3].value(), dram);
  EXPECT_DOUBLE_EQ(account.largest(), std::max(1.0, *account.compute));
  EXPECT_DOUBLE_EQ(account.sum(), std::max(1.0, *account.compute) + dram) << "L1 next to the units, not after them";
}

TEST(TimeBreakdown, TakesArithmeticAtTheCeilingsOfItsPrecision) {
  auto single = triad();
  single.counts.precision = "fp32";
  const auto doubles = time_breakdown(example::roofline(), triad()),
             floats = time_breakdown(example::roofline(), single);
  EXPECT_NEAR(*floats.compute, *doubles.compute / 2, 0.01);
  single.counts.precision = "fp16";
  EXPECT_FALSE(time_breakdown(example::roofline(), single).compute) << "which nothing measured";
}

/// A kernel whose levels move so many GB.
KernelPoint moving(double l1, double l2, double l3, double dram) {
  auto point = triad();
  const std::array<double, 4> gigabytes{l1, l2, l3, dram};
  for (const auto level : memory_levels) {
    const double bytes = 1e9 * gigabytes[static_cast<std::size_t>(level)];
    if (bytes > 0) point.counts.at(level) = Traffic{bytes, 0};
  }
  return point;
}

TEST(TimeBreakdown, CountsEveryByteAtTheLevelThatServesIt) {
  const auto roofline = example::roofline();
  const auto stream = time_breakdown(roofline, moving(100, 100, 100, 100));
  EXPECT_EQ(stream.served[1], 0) << "what comes from DRAM passes L2 and L3, and their ceilings with it";
  EXPECT_EQ(stream.served[2], 0);
  EXPECT_EQ(stream.served[3], stream.levels[3]);
  const auto reusing = time_breakdown(roofline, moving(100, 80, 20, 10));
  EXPECT_DOUBLE_EQ(*reusing.served[1], 0.75 * *reusing.levels[1]);
  EXPECT_DOUBLE_EQ(*reusing.served[2], 0.5 * *reusing.levels[2]);
  EXPECT_DOUBLE_EQ(reusing.sum(), *reusing.compute + *reusing.served[1] + *reusing.served[2] + *reusing.served[3]);
  auto unknown = moving(100, 80, 0, 10);
  unknown.counts.at(MemoryLevel::L3).reset();
  EXPECT_DOUBLE_EQ(*time_breakdown(roofline, unknown).served[1], 0.875 * *reusing.levels[1]) << "the next known one";
  auto streaming = moving(100, 80, 20, 10);
  streaming.counts.at(MemoryLevel::DRAM) = Traffic{10e9, 30e9}, streaming.counts.streamed = 30e9;
  EXPECT_DOUBLE_EQ(*time_breakdown(roofline, streaming).served[2], 0.5 * *reusing.levels[2])
      << "streaming stores are no traffic of L3";
}

TEST(TimeBreakdown, TakesWhatTheCoreNeedsAsItWasMeasured) {
  const auto roofline = example::roofline();
  auto point = moving(100, 80, 20, 10);
  const auto modelled = time_breakdown(roofline, point);
  point.in_core = 6;
  const auto measured = time_breakdown(roofline, point);
  EXPECT_EQ(measured.core(), 6);
  EXPECT_DOUBLE_EQ(measured.sum(), 6 + *modelled.served[2] + *modelled.served[3]);
  EXPECT_EQ(measured.largest(), 6);
}

TEST(TimeBreakdown, TakesDramAtTheRateOfItsProbe) {
  auto slow = triad();
  const auto roofline = example::roofline();
  const auto& dram = *roofline.bandwidth(MemoryLevel::DRAM, Mix::triad);
  slow.probes = {{dram.name, {0.5 * dram.rate, 0.5 * dram.rate, 0.9 * dram.rate}}};
  EXPECT_DOUBLE_EQ(time_breakdown(roofline, slow).levels[3].value(),
                   2 * time_breakdown(roofline, triad()).levels[3].value());
}

TEST(InstructionTable, HoldsCountedInstructionsAgainstTheFrontEnds) {
  Results results;
  EXPECT_TRUE(instruction_table(results).empty());
  auto ceilings = example::roofline().ceilings();
  ceilings.emplace_back().kind = Ceiling::Kind::instructions;
  ceilings.back().threads = 2, ceilings.back().rate = 40e9, ceilings.back().variant = "nop of 4 B";
  results.roofline = Roofline(ceilings, 2);
  results.points = {triad()};
  EXPECT_TRUE(instruction_table(results).empty()) << "nothing was counted";
  results.points[0].counts.instructions = 100e9, results.points[0].counts.cycles = 100e9 / 1.5;
  const auto table = instruction_table(results);
  ASSERT_EQ(table.rows.size(), 2U);
  const std::vector<std::string> expected{"10.0", "1.50", "25.0", "0.388", "0.127", "-", "-", "25.0"};
  EXPECT_EQ(std::vector<std::string>(table.rows[1].cells.begin() + 1, table.rows[1].cells.end()), expected);
}

TEST(TimeBreakdown, NeedsCeilingsOfTheSameThreadCount) {
  auto other = triad();
  other.threads = 1;
  EXPECT_EQ(time_breakdown(example::roofline(), other).sum(), 0);
  EXPECT_EQ(time_breakdown(Roofline(), triad()).sum(), 0);
}

TEST(TimeBreakdown, HasColumnsOfWhatARowUses) {
  Results results;
  auto ceilings = example::roofline().ceilings();
  ceilings.push_back(example::memory(MemoryLevel::DRAM, "stride:16", 20));
  ceilings.emplace_back().kind = Ceiling::Kind::overhead;
  ceilings.back().threads = 2, ceilings.back().rate = 1e6;
  results.roofline = Roofline(ceilings, 2);
  results.points = {triad()};
  results.points[0].counts.regions = 10, results.points[0].counts.unpaired = 0;
  const std::vector<std::string> plain{
      "kernel", "time",         "compute %",         "L1 %",           "L2 %",        "L3 %",
      "DRAM %", "core alone %", "core and memory %", "memory alone %", "fork-join %", "rest %"};
  EXPECT_EQ(testing::headers_of(time_breakdown_table(results)), plain) << "10 us of 10 s are nothing";

  results.points[0].counts.regions = 1e6, results.points[0].counts.unpaired = 2e9;
  results.points[0].counts.at(MemoryLevel::DRAM) = Traffic{12e9, 0};
  const auto table = time_breakdown_table(results);
  EXPECT_EQ(testing::headers_of(table)[7], "(unpaired %)");
  const auto& cells = table.rows.at(1).cells;
  EXPECT_EQ(cells[7], "1.0") << "2 GB at 20 GB/s";
  EXPECT_EQ(cells[11], "10.0");
  const auto account = time_breakdown(results.roofline, results.points[0]);
  EXPECT_DOUBLE_EQ(*account.levels[3], 10e9 / 51e9 + 2e9 / 20e9);
  EXPECT_DOUBLE_EQ(account.sum(), std::max(1.0, *account.compute) + 1 + *account.levels[3])
      << "unpaired lines are among DRAM's";
}

TEST(TimeBreakdown, HasTheFrontEndWhereInstructionsWereCounted) {
  Results results;
  auto ceilings = example::roofline().ceilings();
  ceilings.emplace_back().kind = Ceiling::Kind::instructions;
  ceilings.back().threads = 2, ceilings.back().rate = 40e9;
  ceilings.push_back(example::memory(MemoryLevel::L1, "gather", 790));
  results.roofline = Roofline(ceilings, 2);
  results.points = {triad()};
  const double before = time_breakdown(results.roofline, triad()).sum();
  results.points[0].counts.instructions = 200e9;
  results.points[0].counts.gathered = 79e9;
  const auto account = time_breakdown(results.roofline, results.points[0]);
  EXPECT_DOUBLE_EQ(*account.front_end, 5);
  EXPECT_DOUBLE_EQ(account.largest(), 5);
  EXPECT_NEAR(*account.gathered, 0.1, 1e-12);
  EXPECT_NEAR(account.sum(), before - *account.compute + 5, 0.1) << "next to the units and L1, not after them";
  const std::vector<std::string> expected{"kernel", "time", "compute %", "front end %", "L1 %", "(gathers %)"};
  const auto table = time_breakdown_table(results);
  auto shown = testing::headers_of(table);
  shown.resize(expected.size());
  EXPECT_EQ(shown, expected);
  EXPECT_EQ(table.rows.at(1).cells[3], "50.0");
}

TEST(TimeBreakdown, ExplainsTimesBetweenTheLargestShareAndTheSum) {
  TimeBreakdown account;
  account.compute = 4, account.levels[3] = account.served[3] = 5, account.regions = 1;
  EXPECT_EQ(account.sum(), 10);
  EXPECT_EQ(account.explains(4.5), Explained::too_fast);
  EXPECT_EQ(account.explains(4.6), Explained::yes) << "within a tenth of the largest";
  EXPECT_EQ(account.explains(8), Explained::yes) << "an overlap in part is nothing unexplained";
  EXPECT_EQ(account.explains(11), Explained::yes) << "within a tenth of the sum";
  EXPECT_EQ(account.explains(11.2), Explained::no);
  account.regions = 20;
  EXPECT_EQ(account.explains(11.2), Explained::too_fast);
}

TEST(TimeBreakdown, PartsMakeUpTheTime) {
  TimeBreakdown account;
  account.in_core = 4, account.levels[3] = account.served[3] = 5, account.regions = 1;
  // Core and memory at once, fork-join at the same time as well, nothing at once, and a rest.
  for (const double seconds : {4.8, 5.0, 5.5, 6.0, 10.0, 13.0}) {
    const auto parts = account.parts(seconds);
    double sum = 0;
    for (const auto& part : parts) sum += std::abs(part.seconds);
    EXPECT_DOUBLE_EQ(sum, seconds) << "none of them negative";
    EXPECT_DOUBLE_EQ(parts.back().seconds, seconds == 13 ? 3 : 0);
  }
  EXPECT_EQ(in_percents(account.parts(6)), "core and memory 67 %, memory alone 17 %, fork-join 16 %");
  EXPECT_EQ(in_percents(account.parts(13)), "core alone 31 %, memory alone 38 %, fork-join 8 %, a rest of 23 %");
  EXPECT_TRUE(account.parts(4).empty()) << "memory needs more than the time";
  EXPECT_TRUE(TimeBreakdown{}.parts(1).empty());
}

TEST(TimeBreakdown, SaysHowManyRowsAreExplainedAndWhichNot) {
  Results results;
  results.roofline = example::roofline();
  results.points = {triad(), triad(), triad(), triad()};
  const double sum = time_breakdown(results.roofline, triad()).sum();
  results.points[0].time.median = sum, results.points[1].time.median = 2 * sum, results.points[2].time.median = sum / 4;
  results.points[1].name = "slow", results.points[2].name = "fast";
  results.points[3].bound_by = MemoryLevel::DRAM, results.points[3].time.median = 100 * sum;
  const auto note = time_breakdown_table(results).notes.back();
  EXPECT_EQ(
      note,
      "explained: 1 of 3 rows, with a rest of at most a tenth and nothing above 110 %; with a larger rest (its %): "
      "slow (50.0); faster than a ceiling (its %): fast (376.1)");
}

}  // namespace
}  // namespace roofline::time_breakdown_test
