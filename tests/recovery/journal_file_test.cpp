#include "bench/recovery/journal_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "bench/text/output.hpp"
#include "tests/command_line.hpp"

namespace roofline::journal_file_test {
namespace {

const JournalFile::Key key{"roofline_bench --quick", "ours", "0.1", "today"};

class JournalFiles : public ::testing::Test {
 protected:
  /// A journal of two lines, as a process leaves it that ended suddenly while it wrote a third.
  void leave(const std::string& rest = "{\"row\": \"c\", \"ker") {
    {
      JournalFile file(folder_.path(), key, false);
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
    JournalFile file(folder_.path(), key, true);
    EXPECT_EQ(file.lines(), (std::vector<std::string>{"{\"row\":\"a\"}", "{\"row\":\"b\"}"}));
    EXPECT_EQ(file.resumed_from(), "today");
    file.record("{\"row\":\"c\"}");
  }
  JournalFile third(folder_.path(), key, true);
  ASSERT_EQ(third.lines().size(), 3u) << testing::contents(path_);
  EXPECT_EQ(third.lines()[2], "{\"row\":\"c\"}") << "what was cut off is gone";
}

TEST_F(JournalFiles, ResumingNothingSaysSoAndBegins) {
  ::testing::internal::CaptureStderr();
  JournalFile file(folder_.path(), key, true);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("holds no interrupted run"), std::string::npos);
  EXPECT_TRUE(file.lines().empty());
}

TEST_F(JournalFiles, AnotherRunIsNotResumed) {
  leave();
  for (const auto& other : {JournalFile::Key{"roofline_bench --full", "ours", "0.1"},
                            JournalFile::Key{"roofline_bench --quick", "theirs", "0.1"},
                            JournalFile::Key{"roofline_bench --quick", "ours", "0.2"}})
    EXPECT_THROW(JournalFile(folder_.path(), other, true), std::invalid_argument);
}

TEST_F(JournalFiles, ANewRunKeepsTheRowsOfTheOldOne) {
  leave("");
  const auto old = testing::contents(path_);
  JournalFile file(folder_.path(), key, false);
  EXPECT_TRUE(file.lines().empty());
  EXPECT_EQ(testing::contents(path_ + ".old"), old);
}

TEST_F(JournalFiles, OneRunAtATimeWritesIntoAFolder) {
  JournalFile file(folder_.path(), key, false);
  EXPECT_THROW(JournalFile(folder_.path(), key, false), FileError);
  EXPECT_THROW(JournalFile(folder_.path(), key, true), FileError);
}

TEST_F(JournalFiles, WhatIsNoJournalIsNotResumed) {
  std::ofstream(path_) << "{\"journal\": 3}\n";
  EXPECT_THROW(JournalFile(folder_.path(), key, true), FileError);
  std::ofstream(path_) << "hello\n";
  EXPECT_THROW(JournalFile(folder_.path(), key, true), FileError);
}

TEST_F(JournalFiles, OfAWrittenRunIsRemoved) {
  JournalFile file(folder_.path(), key, false);
  EXPECT_TRUE(std::filesystem::exists(path_));
  file.remove();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace roofline::journal_file_test
