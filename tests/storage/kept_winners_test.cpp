#include "bench/storage/kept_winners.hpp"

#include <gtest/gtest.h>

#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/example_results.hpp"

namespace roofline::kept_winners_test {
namespace {

class KeptWinners : public ::testing::Test {
 protected:
  void keep(const std::string& ceiling, const Winner& winner) { keep_winners({{ceiling, winner}}, machine, 2); }
  Winners kept() const { return kept_winners(machine, 2); }

  const testing::CacheFolder folder;
  const Machine machine = example::results(false).machine;
};

TEST_F(KeptWinners, AreThoseOfAllRunsTheNewestOfEachCeiling) {
  EXPECT_TRUE(kept().empty());
  keep("fma", {"8 chains", 3, 30e-9});
  keep("read", {"2 lines", 1, 30e-9});
  keep("fma", {"12 chains", 5, 40e-9});
  const auto winners = kept();
  ASSERT_EQ(winners.size(), 2u);
  EXPECT_EQ(winners.find("fma")->second.variant, "12 chains");
  EXPECT_EQ(winners.find("fma")->second.number, 5u);
  EXPECT_EQ(winners.find("read")->second.variant, "2 lines");
  EXPECT_TRUE(kept_winners(machine, 3).empty()) << "of another number of threads";
}

/// Two streams are no faster than one where the cores share a way to memory, and a tenth faster where each has its own.
TEST_F(KeptWinners, AreThoseOfThePlaceWhereTheCoresLie) {
  keep("copy", {"1 stream", 0, 30e-9});
  EXPECT_EQ(winner_of(kept(), "copy", 200e-9), nullptr);
  keep("copy", {"2 streams", 3, 200e-9});
  const auto winners = kept();
  EXPECT_EQ(winner_of(winners, "copy", 27e-9)->variant, "1 stream");
  EXPECT_EQ(winner_of(winners, "copy", 180e-9)->variant, "2 streams");
  EXPECT_EQ(winner_of(winners, "triad", 27e-9), nullptr);
}

TEST_F(KeptWinners, OfAnotherProgramOrInADamagedFileAreNotTaken) {
  keep("fma", {"8 chains", 3});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file()) {
      auto text = read_file(entry.path());
      write_file(entry.path(), text.replace(text.find("program\":\"") + 10, 1, "x"));
    }
  EXPECT_TRUE(kept().empty());
  keep("fma", {"8 chains", 3});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file()) write_file(entry.path(), "{\"winners\": 7");
  EXPECT_TRUE(kept().empty());
}

}  // namespace
}  // namespace roofline::kept_winners_test
