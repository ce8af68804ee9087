#include "bench/storage/result_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "tests/command_line.hpp"

namespace roofline::result_files_test {
namespace {

TEST(ResultFiles, AnIncompleteRunNeverReplacesACompleteOne) {
  const testing::Scratch folder;
  ResultFiles complete(folder.path(), true);
  complete.write("run.json", [] { return "complete"; });
  complete.write_elsewhere(folder / "copy.json", [] { return "complete"; });
  ResultFiles partial(folder.path(), false);
  partial.write("run.json", [] { return "half"; });
  partial.write_elsewhere(folder / "copy.json", [] { return "half"; });
  for (const char* name : {"run", "copy"}) {
    EXPECT_EQ(testing::contents(folder / (std::string(name) + ".json")), "complete");
    EXPECT_EQ(testing::contents(folder / (std::string(name) + ".partial.json")), "half");
  }
  EXPECT_EQ(partial.written(), std::vector<std::string>{"run.partial.json"});
}

TEST(ResultFiles, ACompleteRunTakesThePlaceOfAnIncompleteOne) {
  const testing::Scratch folder;
  ResultFiles(folder.path(), false).write("run.json", [] { return "half"; });
  ResultFiles(folder.path(), true).write("run.json", [] { return "complete"; });
  EXPECT_FALSE(std::filesystem::exists(folder / "run.partial.json"));
}

TEST(ResultFiles, OneThatFailsCostsNoOther) {
  const testing::Scratch folder;
  ResultFiles files(folder.path(), true);
  EXPECT_FALSE(files.write("plot.svg", []() -> std::string { throw std::logic_error("no axis"); }));
  EXPECT_FALSE(files.failed_to_write());
  EXPECT_TRUE(files.write("table.csv", [] { return "1"; }));
  EXPECT_FALSE(files.write("no folder/x", [] { return "1"; }));
  EXPECT_TRUE(files.failed_to_write());
  ASSERT_EQ(files.errors().size(), 2u);
  EXPECT_NE(files.errors()[0].find("plot.svg: not written: no axis"), std::string::npos) << files.errors()[0];
}

}  // namespace
}  // namespace roofline::result_files_test
