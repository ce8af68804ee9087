#include "bench/text/output.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/command_line.hpp"
#include "tests/error_of.hpp"

namespace roofline::output_test {
namespace {
namespace fs = std::filesystem;

class Output : public ::testing::Test {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}));
  }
  testing::Scratch scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(Output, ReplacesAFileAsAWholeAndLeavesNothingElse) {
  write_file(folder_ / "run.json", "old");
  write_file(folder_ / "run.json", "new content");
  EXPECT_EQ(read_file(folder_ / "run.json"), "new content");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Output, AFailedWriteKeepsTheOldFile) {
  write_file(folder_ / "run.json", "old");
  fs::create_directory(folder_ / "blocked");
  EXPECT_THROW(write_file(folder_ / "blocked", "x"), FileError);
  EXPECT_EQ(read_file(folder_ / "run.json"), "old");
  EXPECT_EQ(files(), 2u);
}

TEST_F(Output, AFullDiskIsAnErrorWithTheFilesName) {
  const auto error = testing::error_of<FileError>([] { write_file("/dev/full", "content"); });
  EXPECT_NE(error.find("/dev/full"), std::string::npos) << error;
  EXPECT_NE(error.find("No space left"), std::string::npos) << error;
}

TEST_F(Output, RequireWritableCreatesTheFolderAndLeavesNoProbe) {
  require_writable(folder_ / "a" / "b" / "run.json");
  EXPECT_TRUE(fs::is_directory(folder_ / "a" / "b"));
  EXPECT_TRUE(fs::is_empty(folder_ / "a" / "b"));
}

TEST_F(Output, RequireWritableRefusesAFolderBelowAFile) {
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THROW(require_writable(folder_ / "file" / "run.json"), FileError);
  EXPECT_THROW(require_writable(folder_), FileError);
}

TEST_F(Output, AMissingFileCannotBeRead) { EXPECT_THROW(read_file(folder_ / "nothing.json"), FileError); }

}  // namespace
}  // namespace roofline::output_test
