#include "reporters/time_account.hpp"

#include <gtest/gtest.h>

#include "reporters/instruction_table.hpp"
#include "tests/example_results.hpp"

namespace roofline {
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

TEST(TimeAccount, TakesEveryResourceAtTheCeilingOfItsMix) {
  const auto roofline = example::roofline();
  const auto account = time_account(roofline, triad());
  EXPECT_NEAR(account.compute.value(), 1, 0.01);
  EXPECT_DOUBLE_EQ(account.levels[0].value(), 1);
  EXPECT_FALSE(account.levels[1]);
  const double dram = 4e9 / roofline.bandwidth(MemoryLevel::DRAM, Mix::triad)->rate;
  EXPECT_DOUBLE_EQ(account.levels[3].value(), dram);
  EXPECT_DOUBLE_EQ(account.largest(), std::max(1.0, *account.compute));
  EXPECT_DOUBLE_EQ(account.sum(), *account.compute + 1 + dram);
}

TEST(TimeAccount, TakesDramAtThePaceBesideThePoint) {
  auto slow = triad();
  slow.dram_pace = Pace{0.5, 0.5};
  const auto roofline = example::roofline();
  EXPECT_DOUBLE_EQ(time_account(roofline, slow).levels[3].value(),
                   2 * time_account(roofline, triad()).levels[3].value());
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
  results.points[0].counts.details = {{"counted_instructions", 100e9}, {"instructions_per_cycle", 1.5}};
  const auto table = instruction_table(results);
  ASSERT_EQ(table.rows.size(), 2U);
  const std::vector<std::string> expected{"10.0", "1.50", "25.0", "0.388", "0.127", "-", "-", "25.0"};
  EXPECT_EQ(std::vector<std::string>(table.rows[1].cells.begin() + 1, table.rows[1].cells.end()), expected);
}

TEST(TimeAccount, NeedsCeilingsOfTheSameThreadCount) {
  auto other = triad();
  other.threads = 1;
  EXPECT_EQ(time_account(example::roofline(), other).sum(), 0);
  EXPECT_EQ(time_account(Roofline(), triad()).sum(), 0);
}

TEST(TimeAccount, TheTableGivesSharesOfTheMeasuredTime) {
  Results results;
  results.roofline = example::roofline();
  results.points = {triad()};
  const auto table = time_account_table(results);
  ASSERT_EQ(table.rows.size(), 2u);
  const auto& cells = table.rows[1].cells;
  EXPECT_EQ(cells[1], "10.0 s");
  EXPECT_EQ(cells[3], "10.0");
  EXPECT_EQ(cells[4], "-");
  EXPECT_TRUE(time_account_table(Results{}).empty());
}

}  // namespace
}  // namespace roofline
