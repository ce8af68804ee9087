#include "bench/recovery/records.hpp"

#include <gtest/gtest.h>

#include "bench/recovery/journal_file.hpp"
#include "bench/recovery/results_of.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/full_results.hpp"

namespace roofline::records_test {
namespace {

/// A record that was a line of text.
Record through_text(const Record& record) {
  const auto line = line_of(record);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return record_of(line);
}

TEST(Records, KernelsAndCeilingsSurviveWholeAsALineOfText) {
  const auto all = example::full_results();
  const auto as_file = [](const Results& run) { return run_json("", run); };
  for (const auto& point : all.points) {
    Results before, after;
    before.points = {point};
    after.points = {through_text({.row = point.name, .kernel = point}).kernel.value()};
    EXPECT_EQ(as_file(after), as_file(before));
  }
  for (const auto& ceiling : all.roofline.ceilings()) {
    Results before, after;
    before.roofline = Roofline({ceiling}, 1);
    after.roofline = Roofline({through_text({.row = ceiling.name, .ceiling = ceiling}).ceiling.value()}, 1);
    EXPECT_EQ(as_file(after), as_file(before));
  }
}

TEST(Records, RoundsSurviveBitForBit) {
  RowRound round;
  round.samples = {{4, 12.5, 1.0 / 3}, {4, 12.75, 0.1}};
  round.probes = {{"ceiling/x", {7e10 / 3, 1e9}}};
  round.core_distance = 170e-9, round.cpu_seconds = 0.1 / 3;
  const auto found = through_text({.row = "stream/triad", .round = 4, .found = round});
  EXPECT_EQ(found.row, "stream/triad");
  EXPECT_EQ(found.round, 4);
  ASSERT_EQ(found.found->samples.size(), 2u);
  EXPECT_EQ(found.found->samples[0].seconds, 1.0 / 3);
  EXPECT_EQ(found.found->samples[1].start, 12.75);
  EXPECT_EQ(found.found->probes, round.probes);
  EXPECT_EQ(found.found->core_distance, 170e-9);
  EXPECT_EQ(found.found->cpu_seconds, 0.1 / 3);
  const auto visit =
      through_text({.row = "ceiling/x", .visit = Visit{{1e9 / 3}, 28e-9, 1.0 / 3, 5e9 / 3, 2e9 / 3}}).visit;
  EXPECT_EQ(visit->rates, (std::vector<double>{1e9 / 3}));
  EXPECT_EQ(visit->core_distance, 28e-9);
  EXPECT_EQ(visit->of_fma, 1.0 / 3);
  EXPECT_EQ(visit->theory, 5e9 / 3);
  EXPECT_EQ(visit->clock, 2e9 / 3);
}

TEST(Records, KnowWhatWasFoundOfARow) {
  std::vector<std::string> lines;
  Records writer({}, [&](const std::string& line) { lines.push_back(line); });
  writer.append(
      {.row = "a", .event = "planned", .kernel = KernelPoint{.name = "a", .family = {}, .counts = {}, .time = {}}});
  EXPECT_TRUE(Records(lines).empty()) << "a plan is no result";
  writer.append({.row = "a", .round = 4, .found = RowRound{{{4, 0, 1.0}}, {}}});
  writer.append({.row = "b", .failed = "hung"});
  writer.append({.row = "a", .event = "verified"});
  lines.push_back("{\"row\": \"c\", \"kern");  // cut off
  const Records read(lines);
  EXPECT_FALSE(read.empty());
  EXPECT_EQ(read.rows(), 1u);
  EXPECT_TRUE(read.of_round("a", 4));
  EXPECT_FALSE(read.of_round("a", 3));
  EXPECT_EQ(read.missing("b"), "hung");
  EXPECT_EQ(read.missing("a"), "");
  EXPECT_TRUE(read.was("verified", "a"));
  EXPECT_FALSE(read.was("verified", "b"));
}

TEST(Records, FactsAreTheFieldsThatWereFilledIn) {
  Records records;
  records.say([](Results& results) {
    results.date = "yesterday", results.command_line = "roofline_bench";
    results.warnings = {"one", "two"};
  });
  records.say([](Results& results) { results.date = "today", results.warnings = {"two", "three"}; });
  records.say([](Results&) {});
  EXPECT_EQ(records.all().size(), 2u);
  const auto results = results_of(records.all());
  EXPECT_EQ(results.date, "today");
  EXPECT_EQ(results.command_line, "roofline_bench");
  EXPECT_EQ(results.warnings, (std::vector<std::string>{"one", "two", "three"})) << "a line is told once";
}

TEST(Records, AFullRunIsWhatItsFactsSay) {
  // Every field of a run but those that follow from rows: a file is a fact, too.
  auto all = example::full_results();
  all.points.clear(), all.failures.clear(), all.unreached.clear(), all.core_distance = 0;
  all.roofline = Roofline({}, all.roofline.threads()), all.interrupted = false;
  assess(all);
  Records records;
  records.say([&](Results& results) { results = all; });
  records.append({.event = "end"});
  EXPECT_EQ(run_json("", results_of(records.all())), run_json("", all));
}

TEST(Records, TimesThatAreNoneAreRefused) {
  for (const std::string line :
       {R"({"row":"a","round":0,"found":{"samples":[{"start":0,"seconds":-1}]}})",
        R"({"row":"a","round":0,"visit":{"rates":[0]}})", R"({"row":"a","visit":{"rates":[]}})",
        R"({"fact":{"date":3}})", R"({"row":"a","round":0,"found":{"samples":[]}})"})
    EXPECT_THROW(Records({line}), std::invalid_argument) << line;
}

TEST(Records, TheRowThatWasBegunAndNeverEndedIsUnfinished) {
  std::vector<std::string> lines;
  Records records({}, [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(unfinished_row(lines), "");
  records.begin("a");
  EXPECT_EQ(unfinished_row(lines), "a");
  records.append({.row = "a", .failed = "no"});
  EXPECT_EQ(unfinished_row(lines), "");
  records.begin("b");
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
  std::ofstream(path_) << "{\"journal\": 2}\n";
  EXPECT_THROW(JournalFile(folder_.path(), key, Begin::resumed), FileError);
  std::ofstream(path_) << "hello\n";
  EXPECT_THROW(JournalFile(folder_.path(), key, Begin::resumed), FileError);
}

}  // namespace
}  // namespace roofline::records_test
