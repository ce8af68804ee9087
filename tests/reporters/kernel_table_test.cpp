#include <gtest/gtest.h>

#include "reporters/tables/tables.hpp"
#include "reporters/view/explain.hpp"
#include "tests/example_results.hpp"
#include "tests/shown.hpp"

namespace roofline::kernel_table_test {
namespace {

/// Cells of the row with this label.
std::vector<std::string> row(const Table& table, const std::string& label) {
  return testing::row_of(table, "  " + label);
}

bool has_note(const Table& table, const std::string& text) {
  for (const auto& note : table.notes)
    if (note.find(text) != note.npos) return true;
  return false;
}

/// A run with one point, so that a test can spoil it.
Results one_point(double efficiency) {
  Results results;
  results.roofline = example::roofline();
  const example::Bytes bytes{24, 8};
  results.points.push_back(example::point(results.roofline, "stream/triad", 1e7, {0, 0, 1, 0},
                                          {{{16, 8}, bytes, bytes, bytes}}, efficiency));
  assess(results);
  return results;
}

TEST(KernelTable, ARowHasTimeRatesIntensitiesBoundAndPercentages) {
  auto results = one_point(1);
  results.points[0].time = {0.01, 0.0099, 0.0102};  // 2e7 FLOP, 320 MB at DRAM
  example::add_rounds(results.roofline, results.points[0]);
  assess(results);
  const auto cells = row(kernel_table(results), "triad");
  EXPECT_EQ(cells, (std::vector<std::string>{"  triad", "10.0 ms", "2.00", "32.0", "0.0833", "0.0625", "0.0625",
                                             "0.0625", "DRAM", "48.6", "+-1.5", "50.8", ""}));
}

TEST(KernelTable, EveryPointHasOneLineUnderItsFamily) {
  const auto results = example::results();
  const auto table = kernel_table(results);
  std::size_t points = 0;
  std::vector<std::string> headings;
  for (const auto& row : table.rows) row.cells.size() == 1 ? headings.push_back(row.cells[0]) : void(++points);
  EXPECT_EQ(points, results.points.size());
  EXPECT_EQ(headings, (std::vector<std::string>{"stream/n:33554432", "stencil/n:256", "gpp", "gsrb/level:7",
                                                "lbm/nx:512/ny:512"}));
}

TEST(KernelTable, UnknownIsADash) {
  auto results = one_point(0.9);
  results.points[0].counts.at(MemoryLevel::L3).reset();
  EXPECT_EQ(row(kernel_table(results), "triad")[6], "-");
  results.roofline = {};
  assess(results);
  const auto table = kernel_table(results);
  const auto cells = row(table, "triad");
  for (const int column : {8, 9, 10, 11}) EXPECT_EQ(cells[column], "-");
  EXPECT_TRUE(has_note(table, "no efficiencies"));
}

TEST(KernelTable, WithoutFlopsTheBandwidthIsShownAndJudged) {
  const auto cells = row(kernel_table(example::results()), "copy");
  EXPECT_EQ(cells[2], "0");
  EXPECT_EQ(cells[3], "65.4");
  EXPECT_EQ(cells[8], "DRAM");
  EXPECT_EQ(cells[9], "99.3");
}

TEST(KernelTable, TheBoundIsTheResourceThatTheRoofDoesNotKnow) {
  const auto bound = [](const Resource& of_mix) {
    auto results = one_point(0.5);
    results.points[0].assessment.mix->bound = of_mix;
    return row(kernel_table(results), "triad")[8];
  };
  EXPECT_EQ(bound({MemoryLevel::DRAM, Mix::triad_nt}), "DRAM") << "a mix of the level that bounds";
  EXPECT_EQ(bound({MemoryLevel::L2, Mix::read}), "DRAM");
  EXPECT_EQ(bound({Resource::Kind::unpaired_lines, MemoryLevel::DRAM}), "unpaired lines");
  EXPECT_EQ(bound(Resource::Kind::fork_join), "fork-join");
  EXPECT_EQ(bound(Resource::Kind::front_end), "front end");
}

TEST(KernelTable, TheBoundIsTheCoreWhereMemoryIsNotMissed) {
  const auto bound = [](double in_core, double share, std::optional<MemoryLevel> level) {
    auto results = one_point(0.5);
    auto& assessment = results.points[0].assessment;
    assessment.in_core = in_core;
    assessment.mix->efficiency = share, assessment.mix->level = level;
    return row(kernel_table(results), "triad")[8];
  };
  constexpr auto DRAM = MemoryLevel::DRAM;
  EXPECT_EQ(bound(0.95, 0.75, DRAM), "core") << "as slow without memory";
  EXPECT_EQ(bound(0.95, 0.97, DRAM), "DRAM") << "both are full";
  EXPECT_EQ(bound(0.85, 0.75, DRAM), "DRAM");
  EXPECT_EQ(bound(0, 0.75, DRAM), "DRAM") << "nobody knows";
  EXPECT_EQ(bound(0.95, 0.8, {}), "DRAM") << "what the ceilings name is nearly full";
  EXPECT_EQ(bound(0.95, 0.7, {}), "core");
  EXPECT_EQ(bound(1.2, 0.85, MemoryLevel::L2), "DRAM") << "the core has no more than all of the time";
}

TEST(KernelTable, AboveTheRoofIsShownFlaggedAndExplained) {
  const auto table = kernel_table(one_point(1.30));
  EXPECT_EQ(row(table, "triad")[11], "130.0");
  EXPECT_EQ(row(table, "triad")[12], "!");
  for (const char* cause : {"bytes or FLOPs", "faster level", "thread count", "skipped"})
    EXPECT_TRUE(has_note(table, cause)) << cause;
  const auto fine = kernel_table(one_point(1.035));
  EXPECT_EQ(row(fine, "triad")[12], "");
  EXPECT_FALSE(has_note(fine, "above 103 %"));
}

TEST(KernelTable, NamesAccountAndSourcesOnce) {
  auto results = example::results();
  const std::string account = "FLOPs: canonical account (FMA = 2, division = 1), source: software";
  EXPECT_EQ(source_lines(results), (std::vector<std::string>{account, "bytes: modelled (LRU 48K/12 1M/16 32M/16)"}));
  EXPECT_TRUE(source_lines(Results{}).empty());
}

TEST(KernelTable, NotesThatDifferOnlyInTheirSamplingAreNamedByTheirModel) {
  auto results = example::results();
  for (int i = 0; i < 6; ++i)
    results.points[i].counts.traffic_note = "LRU 48K/12, " + std::to_string(30 + i) + " of 512 chunks";
  results.points.erase(results.points.begin() + 6, results.points.end());
  EXPECT_EQ(source_lines(results)[1], "bytes: modelled (LRU 48K/12), each kernel's sampling in efficiency.csv");
  results.points[2].counts.traffic_note = "LRU 48K/12";
  EXPECT_EQ(source_lines(results)[1], "bytes: modelled (LRU 48K/12), each kernel's sampling in efficiency.csv");
  results.points[2].counts.traffic_note = "LRU 48K";
  EXPECT_NE(source_lines(results)[1].find("LRU 48K/12, 30 of"), std::string::npos) << "another model, no common part";
  results.points[2].counts.traffic_note = "LRU 48K/8, 3 of 9 chunks";
  EXPECT_EQ(
      source_lines(results)[1],
      "bytes: modelled (LRU 48K/12, 30 of 512 chunks; LRU 48K/12, 31 of 512 chunks; LRU 48K/8, 3 of 9 chunks; ...), "
      "each kernel's sampling in efficiency.csv");
}

TEST(KernelTable, CeilingsOfAnotherThreadCountJudgeNothing) {
  auto results = one_point(0.9);
  results.points[0].threads = 3;  // there are ceilings of two threads and of one
  assess(results);
  const auto table = kernel_table(results);
  EXPECT_EQ(row(table, "triad")[9], "-");
  EXPECT_TRUE(has_note(table, "only for 2 threads"));
}

TEST(KernelTable, IntervalsAreCalledByTheirRounds) {
  auto results = one_point(0.9);
  EXPECT_TRUE(has_note(kernel_table(results), "95 % interval of the share over 6 rounds"));
  auto& point = results.points[0];
  point.samples.resize(10), point.probes[0].rates.resize(5);  // of five rounds
  assess(results);
  EXPECT_EQ(row(kernel_table(results), "triad")[10], "-");
  EXPECT_FALSE(has_note(kernel_table(results), "+-:"));
}

TEST(KernelTable, RemarksTellWhatIsMissing) {
  Results results;
  EXPECT_TRUE(remarks(results).empty());
  results.failures = {{"gpp/nw:6", "index 3: got 1, expected 2"}};
  results.warnings = {"DRAM copy is 30 days old"};
  results.skipped = {"gpp: nw 2, 4, 5"};
  results.interrupted = true;
  std::string text;
  for (const auto& block : remarks(results)) text += to_text(block);
  for (const char* line : {"interrupted", "gpp/nw:6: index 3", "30 days", "nw 2, 4, 5"})
    EXPECT_NE(text.find(line), text.npos) << line;
}

TEST(KernelTable, AnIntervalIsPlusMinusOnlyWhereItIsSymmetric) {
  const auto text = [](double share, double low, double high) {
    Judgement judgement{{}, share, {}, {}};
    judgement.range = Interval{share, low, high};
    return interval_text(judgement);
  };
  EXPECT_EQ(text(0.50, 0.487, 0.512), "+-1.3") << "the wider side";
  EXPECT_EQ(text(0.50, 0.40, 0.60), "+-10");
  EXPECT_EQ(text(0.50, 0.46, 0.55), "46..55") << "one point more on one side";
  EXPECT_EQ(text(1.07, 1.06, 2.37), "106..237");
  EXPECT_EQ(interval_text(Judgement{{}, 0.5, {}, {}}), "-") << "too few rounds";
}

}  // namespace
}  // namespace roofline::kernel_table_test
