#include "bench/recovery/row_journal.hpp"

#include <gtest/gtest.h>

#include "bench/recovery/journal_file.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"

namespace roofline::row_journal_test {
namespace {

RowJournal::Once once() {
  RowJournal::Once once;
  once.declared_flops = 13, once.in_core = 0.75;
  once.tuning = "24 rows", once.trials = {{"plain", 2}, {"24 rows", 1.5}};
  once.counts.operations = {.add = 1, .mul = 2, .fma = 3, .div = 4};
  once.counts.traffic_note = "CUPTI \"x\"\n";
  return once;
}

/// A journal of these lines and one that adds to them.
struct Lines {
  std::vector<std::string> lines;
  RowJournal writer = RowJournal({}, [this](const std::string& line) { lines.push_back(line); });
  RowJournal read() const { return RowJournal(lines, nullptr); }
};

TEST(RowJournal, WhatIsFoundOnceSurvivesAsALineOfText) {
  Lines journal;
  journal.writer.add("stream/triad", once());
  ASSERT_EQ(journal.lines.size(), 1u);
  EXPECT_EQ(journal.lines[0].find('\n'), std::string::npos);
  const auto read = journal.read();
  EXPECT_EQ(read.rows(), 1u);
  EXPECT_EQ(read.counts("gpp"), nullptr);
  const auto* const found = read.counts("stream/triad");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->declared_flops, 13u);
  EXPECT_EQ(found->in_core, 0.75);
  EXPECT_EQ(found->tuning, "24 rows");
  ASSERT_EQ(found->trials.size(), 2u);
  EXPECT_EQ(found->trials[1].seconds, 1.5);
  EXPECT_EQ(found->counts.operations, once().counts.operations) << "as run.json has them: self_consistency_test.cpp";
  EXPECT_EQ(found->counts.traffic_note, once().counts.traffic_note);
}

TEST(RowJournal, RoundsSurviveBitForBit) {
  Lines journal;
  RowRound round;
  round.samples = {{4, 12.5, 1.0 / 3}, {4, 12.75, 0.1}};
  round.probes = {{"ceiling/x", {7e10 / 3, 1e9}}};
  round.core_distance = 170e-9;
  journal.writer.add("stream/triad", 4, round);
  journal.writer.add("ceiling/x", 2, Visit{{1e9 / 3, 2e9 / 3}, 28e-9});
  journal.writer.fail("gpp", "hung");
  const auto read = journal.read();
  EXPECT_EQ(read.kernel_round("stream/triad", 3), nullptr);
  const auto* const found = read.kernel_round("stream/triad", 4);
  ASSERT_NE(found, nullptr);
  ASSERT_EQ(found->samples.size(), 2u);
  EXPECT_EQ(found->samples[0].seconds, 1.0 / 3);
  EXPECT_EQ(found->samples[1].start, 12.75);
  EXPECT_EQ(found->probes, round.probes);
  EXPECT_EQ(found->core_distance, 170e-9);
  EXPECT_EQ(read.ceiling_round("ceiling/x", 2).rates, (std::vector<double>{1e9 / 3, 2e9 / 3}));
  EXPECT_EQ(read.ceiling_round("ceiling/x", 2).core_distance, 28e-9);
  EXPECT_TRUE(read.ceiling_round("ceiling/x", 1).rates.empty());
  EXPECT_EQ(read.rows(), 2u);
  EXPECT_EQ(read.failure("gpp"), "hung");
  EXPECT_EQ(read.failure("stream/triad"), "");
}

TEST(RowJournal, CeilingsUnderALoadSurviveWhole) {
  Lines journal;
  Ceiling ceiling;
  ceiling.kind = Ceiling::Kind::bandwidth, ceiling.name = "ceiling/x", ceiling.level = MemoryLevel::L2;
  ceiling.rate = 3, ceiling.rate_low = 2, ceiling.rate_high = 4, ceiling.rate_median = 2.5, ceiling.samples = 9;
  ceiling.theory = 5, ceiling.mix = Mix::copy, ceiling.variant = "8 loads", ceiling.sustained = true;
  ceiling.clock_begin = 2e9, ceiling.clock_end = 1.4e9, ceiling.warps = 4, ceiling.whole_device = true;
  journal.writer.add("ceiling/x", ceiling);
  ASSERT_EQ(journal.read().ceilings("ceiling/x").size(), 1u);
  const auto as_file = [](const Ceiling& c) {
    Results run;
    run.roofline = Roofline({c}, 1);
    return run_json("", run);
  };
  EXPECT_EQ(as_file(journal.read().ceilings("ceiling/x")[0]), as_file(ceiling)) << "warps: else a latency were a roof";
}

TEST(RowJournal, TimesThatAreNoneAreRefused) {
  const std::vector<std::string> lines{R"({"row":"a","round":0,"found":{"samples":[{"start":0,"seconds":-1}]}})"};
  EXPECT_THROW(RowJournal(lines, nullptr), std::invalid_argument);
  EXPECT_THROW(RowJournal({R"({"row":"a","round":0,"visit":{"rates":[0]}})"}, nullptr), std::invalid_argument);
  EXPECT_THROW(RowJournal({R"({"row":"a","round":0,"found":{"samples":[]}})"}, nullptr), std::invalid_argument);
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

using Begin = JournalFile::Begin;
const JournalFile::Key key{"roofline_bench --quick", "ours", "0.1", "today"};

class JournalFiles : public ::testing::Test {
 protected:
  /// A journal of two lines, as a process leaves it that ended suddenly while it wrote a third.
  void leave(const std::string& rest = "{\"row\": \"c\", \"ker") {
    {
      JournalFile file(folder_.path(), key, Begin::anew);
      file.record("{\"row\":\"a\"}"), file.record("{\"row\":\"b\"}");
    }
    std::ofstream(path_, std::ios::app) << rest;
  }
  testing::Scratch folder_;
  std::string path_ = folder_ / "run.journal";
};

TEST_F(JournalFiles, AResumedRunFindsTheWholeLinesAndGoesOnAfterThem) {
  leave();
  {
    JournalFile file(folder_.path(), key, Begin::resumed);
    EXPECT_EQ(file.lines(), (std::vector<std::string>{"{\"row\":\"a\"}", "{\"row\":\"b\"}"}));
    EXPECT_EQ(file.resumed_from(), "today");
    file.record("{\"row\":\"c\"}");
  }
  JournalFile third(folder_.path(), key, Begin::resumed);
  ASSERT_EQ(third.lines().size(), 3u) << testing::contents(path_);
  EXPECT_EQ(third.lines()[2], "{\"row\":\"c\"}") << "what was cut off is gone";
}

TEST_F(JournalFiles, ResumingNothingSaysSoAndBegins) {
  ::testing::internal::CaptureStderr();
  JournalFile file(folder_.path(), key, Begin::resumed);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("holds no interrupted run"), std::string::npos);
  EXPECT_TRUE(file.lines().empty());
}

TEST_F(JournalFiles, AnotherRunIsNotResumed) {
  leave();
  for (const auto& other : {JournalFile::Key{"roofline_bench --full", "ours", "0.1"},
                            JournalFile::Key{"roofline_bench --quick", "theirs", "0.1"},
                            JournalFile::Key{"roofline_bench --quick", "ours", "0.2"}})
    EXPECT_THROW(JournalFile(folder_.path(), other, Begin::resumed), std::invalid_argument);
}

TEST_F(JournalFiles, ANewRunKeepsTheRowsOfTheOldOne) {
  leave("");
  const auto old = testing::contents(path_);
  JournalFile file(folder_.path(), key, Begin::anew);
  EXPECT_TRUE(file.lines().empty());
  EXPECT_EQ(testing::contents(path_ + ".old"), old);
}

/// A run that was interrupted after so many rows, in a folder where another was before it.
void interrupt(const testing::Scratch& folder, const JournalFile::Key& of, int rows) {
  JournalFile file(folder.path(), of, Begin::anew);
  for (int i = 0; i < rows; ++i) file.record("{\"row\":\"later\"}");
}

TEST_F(JournalFiles, ASecondStartDoesNotKeepTheFirstFromBeingResumed) {
  for (const auto& [command, rows] : {std::pair("roofline_bench --quick", 1), std::pair("roofline_bench --full", 5)}) {
    leave("");
    interrupt(folder_, {command, "ours", "0.1"}, rows);
    {
      JournalFile file(folder_.path(), key, Begin::resumed);
      EXPECT_EQ(file.lines().size(), 2u) << "the rows of the first start, after one of " << command;
      EXPECT_NE(testing::contents(path_ + ".old").find("later"), std::string::npos) << "nothing is lost";
      file.remove();
    }
    std::filesystem::remove(path_ + ".old");
  }
}

TEST_F(JournalFiles, ALongerSecondStartIsResumed) {
  leave("");
  interrupt(folder_, key, 3);
  EXPECT_EQ(JournalFile(folder_.path(), key, Begin::resumed).lines().size(), 3u);
}

TEST_F(JournalFiles, TheNextProcessOfARunTakesNoOlderRows) {
  leave("");
  interrupt(folder_, key, 1);
  EXPECT_EQ(JournalFile(folder_.path(), key, Begin::next_process).lines().size(), 1u);
}

TEST_F(JournalFiles, ACompleteRunLeavesNothingToResume) {
  leave("");
  {
    JournalFile file(folder_.path(), key, Begin::anew);
    file.remove();
  }
  EXPECT_TRUE(JournalFile(folder_.path(), key, Begin::resumed).lines().empty());
}

TEST_F(JournalFiles, OneRunAtATimeWritesIntoAFolder) {
  JournalFile file(folder_.path(), key, Begin::anew);
  EXPECT_THROW(JournalFile(folder_.path(), key, Begin::anew), FileError);
  EXPECT_THROW(JournalFile(folder_.path(), key, Begin::resumed), FileError);
}

TEST_F(JournalFiles, WhatIsNoJournalIsNotResumed) {
  std::ofstream(path_) << "{\"journal\": 3}\n";
  EXPECT_THROW(JournalFile(folder_.path(), key, Begin::resumed), FileError);
  std::ofstream(path_) << "hello\n";
  EXPECT_THROW(JournalFile(folder_.path(), key, Begin::resumed), FileError);
}

}  // namespace
}  // namespace roofline::row_journal_test
