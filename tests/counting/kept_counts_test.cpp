#include "bench/counting/kept_counts.hpp"

#include <gtest/gtest.h>

#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/example_results.hpp"

namespace roofline::kept_counts_test {
namespace {

class KeptCountsOfARow : public ::testing::Test {
 protected:
  void keep() { keep_counts({{key, counts}}, run.machine, 2); }
  void replace_in_the_file(const std::string& from, const std::string& to) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
      if (!entry.is_regular_file()) continue;
      auto text = read_file(entry.path());
      write_file(entry.path(), text.replace(text.find(from), from.size(), to));
    }
  }

  const testing::CacheFolder folder;
  const Results run = example::results(false);
  const Counts counts = run.points.at(0).counts;
  const std::string key = key_of(run.points.at(0), 7);
};

TEST_F(KeptCountsOfARow, ComeBackToTheByte) {
  EXPECT_TRUE(kept_counts(run.machine, 2).empty());
  auto third = counts;
  third.at(MemoryLevel::DRAM) = Traffic{1.0 / 3, 1e300};
  keep_counts({{key, counts}, {"third", third}}, run.machine, 2);
  const auto kept = kept_counts(run.machine, 2);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_TRUE(agree(kept.at(key), counts));
  EXPECT_EQ(kept.at("third").at(MemoryLevel::DRAM)->read, 1.0 / 3);
  EXPECT_FALSE(agree(kept.at("third"), counts));
}

TEST_F(KeptCountsOfARow, AreOfOneSizeTuningAndSeed) {
  auto other = run.points.at(0);
  EXPECT_NE(key_of(other, 8), key);
  other.problem = "n:1";
  EXPECT_NE(key_of(other, 7), key);
  other = run.points.at(0), other.tuning = "tile 8";
  EXPECT_NE(key_of(other, 7), key);
  other = run.points.at(0), other.declared_flops += 1;
  EXPECT_NE(key_of(other, 7), key);
}

TEST_F(KeptCountsOfARow, AreNotTakenFromAnotherBuildOrOtherCaches) {
  keep();
  auto machine = run.machine;
  ASSERT_FALSE(machine.caches.empty());
  machine.caches.back().size /= 2;
  EXPECT_TRUE(kept_counts(machine, 2).empty());
  EXPECT_TRUE(kept_counts(run.machine, 1).empty());
  EXPECT_FALSE(kept_counts(run.machine, 2).empty());
  replace_in_the_file("program\":\"/", "program\":\"x");
  EXPECT_TRUE(kept_counts(run.machine, 2).empty());
}

TEST_F(KeptCountsOfARow, AreRefusedWhereTheFileIsDamaged) {
  keep();
  replace_in_the_file("\"operations\"", "\"operation\"");
  EXPECT_THROW(kept_counts(run.machine, 2), std::exception);
  replace_in_the_file("{", "");
  EXPECT_THROW(kept_counts(run.machine, 2), std::exception);
}

}  // namespace
}  // namespace roofline::kept_counts_test
