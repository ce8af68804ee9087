#include "bench/run/row_journal.hpp"

#include <gtest/gtest.h>

namespace roofline {
namespace {

RowJournal::Kernel kernel() {
  RowJournal::Kernel k;
  k.measurement = {.seconds = {1.5, 1.25, 1.75},
                   .batch = 3,
                   .cpu_seconds = 0.5,
                   .contaminated = 0.25,
                   .replaced = 4,
                   .converged = false,
                   .least = {1.4, 1.25, 1.7}};
  k.point.name = "stream/triad", k.point.family = "stream", k.point.fma = false, k.point.threads = 1,
  k.point.core_clock = 3e9, k.point.core_distance = 30e-9;
  k.point.form = "24 rows", k.point.trials = {{"plain", 2}, {"24 rows", 1.5}};
  k.point.declared_flops = 13;
  k.point.counts.operations = {.add = 1, .mul = 2, .fma = 3, .div = 4};
  k.point.counts.operations_source = Source::analytic;
  k.point.counts.traffic_source = Source::hardware;
  k.point.counts.at(MemoryLevel::DRAM) = Traffic{10, 20};
  k.point.counts.range[static_cast<std::size_t>(MemoryLevel::L2)] = Span{1, 2};
  k.point.counts.modelled_levels = {MemoryLevel::L2};
  k.point.counts.modelled_writes = {MemoryLevel::L3};
  k.point.counts.executed = Operations{.add = 5, .mul = 6};
  k.point.counts.beside = {{.quantity = "L2.read", .measured = 7, .modelled = 8, .ratio = {}, .note = "why"}};
  k.point.counts.overwritten = 8, k.point.counts.evaded = 3;
  k.point.counts.streamed = 6, k.point.counts.lone = 4, k.point.counts.regions = 2;
  k.point.counts.split = 64, k.point.counts.gathered = 48, k.point.counts.gathers_by_instructions = true;
  k.point.in_caches = 0.75;
  k.point.lone_pace = true;
  k.point.counts.kinds_known = false;
  k.point.counts.traffic_note = "CUPTI \"x\"\n";
  k.point.counts.details = {{"predication", 0.5}};
  return k;
}

TEST(RowJournal, CountsOfAModelledRowSurviveWithoutTimes) {
  std::vector<std::string> lines;
  const RowJournal first({}, [&](const std::string& line) { lines.push_back(line); });
  first.add("gpp/nw:1", kernel().point.counts);
  const RowJournal second(lines, nullptr);
  EXPECT_EQ(second.rows(), 1u);
  EXPECT_EQ(second.counts("gpp/nw:2"), nullptr);
  ASSERT_NE(second.counts("gpp/nw:1"), nullptr);
  EXPECT_EQ(second.counts("gpp/nw:1")->details, kernel().point.counts.details);
  EXPECT_EQ(second.counts("gpp/nw:1")->overwritten, 8);
  EXPECT_EQ(second.counts("gpp/nw:1")->evaded, 3);
  EXPECT_EQ(second.counts("gpp/nw:1")->streamed, 6);
  EXPECT_EQ(second.counts("gpp/nw:1")->lone, 4);
  EXPECT_EQ(second.counts("gpp/nw:1")->regions, 2);
  EXPECT_EQ(second.counts("gpp/nw:1")->split, 64);
  EXPECT_EQ(second.counts("gpp/nw:1")->gathered, 48);
  EXPECT_TRUE(second.counts("gpp/nw:1")->gathers_by_instructions);
}

TEST(RowJournal, ResultsSurviveAsLinesOfText) {
  std::vector<std::string> lines;
  const RowJournal first({}, [&](const std::string& line) { lines.push_back(line); });
  Ceiling ceiling;
  ceiling.kind = Ceiling::Kind::bandwidth, ceiling.name = "ceiling/x", ceiling.level = MemoryLevel::L2;
  ceiling.rate = 3, ceiling.rate_low = 2, ceiling.rate_high = 4, ceiling.samples = 9, ceiling.theory = 5;
  ceiling.mix = Mix::copy, ceiling.variant = "8 loads";
  ceiling.sustained = true, ceiling.clock_begin = 2e9, ceiling.clock_end = 1.4e9, ceiling.core_clock = 1.9e9,
  ceiling.core_distance = 40e-9, ceiling.warps = 4, ceiling.whole_device = true;
  first.add("ceiling/x", ceiling);
  first.add("stream/triad", kernel());
  first.fail("gpp", "hung");
  first.shown("ceilings");
  for (const auto& line : lines) EXPECT_EQ(line.find('\n'), std::string::npos) << line;

  const RowJournal second(lines, nullptr);
  ASSERT_EQ(second.ceilings("ceiling/x").size(), 1u);
  const auto& c = second.ceilings("ceiling/x").front();
  EXPECT_EQ(c.rate, 3);
  EXPECT_EQ(c.level, MemoryLevel::L2);
  EXPECT_EQ(c.theory, 5);
  EXPECT_EQ(c.variant, "8 loads");
  EXPECT_EQ(c.mix, Mix::copy);
  EXPECT_TRUE(c.sustained);
  EXPECT_EQ(c.clock_begin, 2e9);
  EXPECT_EQ(c.clock_end, 1.4e9);
  EXPECT_EQ(c.core_clock, 1.9e9);
  EXPECT_EQ(c.core_distance, 40e-9);
  EXPECT_EQ(c.warps, 4) << "else a latency would come back as a roof";
  EXPECT_TRUE(c.whole_device);
  ASSERT_EQ(second.kernels("stream/triad").size(), 1u);
  const auto& [point, measurement] = second.kernels("stream/triad").front();
  EXPECT_EQ(point.name, "stream/triad");
  EXPECT_EQ(point.time.median, 1.5) << "derived from the samples";
  EXPECT_EQ(point.samples, 3);
  EXPECT_FALSE(point.fma);
  EXPECT_EQ(point.core_clock, 3e9);
  EXPECT_EQ(point.core_distance, 30e-9);
  EXPECT_EQ(point.in_caches, 0.75);
  EXPECT_TRUE(point.lone_pace);
  EXPECT_EQ(point.declared_flops, 13u);
  EXPECT_EQ(point.counts.operations, kernel().point.counts.operations);
  EXPECT_EQ(point.counts.traffic_label(), "hardware(L2:modelled,L3:writes_modelled)");
  EXPECT_EQ(point.counts.executed, kernel().point.counts.executed);
  ASSERT_EQ(point.counts.beside.size(), 1u);
  EXPECT_EQ(point.counts.beside[0].quantity, "L2.read");
  EXPECT_EQ(point.counts.beside[0].measured, 7);
  EXPECT_EQ(point.counts.beside[0].modelled, 8);
  EXPECT_FALSE(point.counts.beside[0].ratio);
  EXPECT_EQ(point.counts.beside[0].note, "why");
  EXPECT_EQ(point.counts.at(MemoryLevel::DRAM), (Traffic{10, 20}));
  EXPECT_EQ(point.counts.range[static_cast<std::size_t>(MemoryLevel::L2)]->high, 2);
  EXPECT_FALSE(point.counts.at(MemoryLevel::L1));
  EXPECT_EQ(point.counts.traffic_note, "CUPTI \"x\"\n");
  EXPECT_EQ(point.counts.details.at("predication"), 0.5);
  EXPECT_FALSE(point.counts.kinds_known);
  EXPECT_EQ(measurement.batch, 3);
  EXPECT_EQ(measurement.least, kernel().measurement.least);
  EXPECT_EQ(point.form, "24 rows");
  ASSERT_EQ(point.trials.size(), 2u);
  EXPECT_EQ(point.trials[1].form, "24 rows");
  EXPECT_EQ(point.trials[1].seconds, 1.5);
  EXPECT_EQ(point.replaced, 4);
  EXPECT_EQ(second.failure("gpp"), "hung");
  EXPECT_EQ(second.failure("stream/triad"), "");
  EXPECT_TRUE(second.was_shown("ceilings"));
  EXPECT_FALSE(second.was_shown("machine"));
}

TEST(RowJournal, TheRowThatWasBegunAndNeverEndedIsUnfinished) {
  std::vector<std::string> lines;
  const RowJournal journal({}, [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(unfinished_row(lines), "");
  journal.begin("a");
  EXPECT_EQ(unfinished_row(lines), "a");
  journal.fail("a", "no");
  EXPECT_EQ(unfinished_row(lines), "");
  journal.begin("b");
  lines.push_back("{\"row\": \"b\", \"kern");  // cut off
  EXPECT_EQ(unfinished_row(lines), "b");
}

TEST(RowJournal, UnsupervisedRunsKeepNothing) {
  const RowJournal none;
  none.begin("a");
  none.fail("a", "no");
  EXPECT_EQ(none.failure("a"), "");
  EXPECT_TRUE(none.kernels("a").empty());
}

}  // namespace
}  // namespace roofline
