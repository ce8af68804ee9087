#include "bench/storage/kept_winners.hpp"

#include <gtest/gtest.h>

#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/example_results.hpp"

namespace roofline::kept_winners_test {
namespace {

class KeptWinners : public ::testing::Test {
 protected:
  void keep(std::size_t ceiling, const std::string& variant, std::size_t number) {
    auto ceilings = run.roofline.ceilings();
    for (auto& other : ceilings) other.variant.clear();
    ceilings.at(ceiling).variant = variant;
    ceilings.at(ceiling).winner = number;
    auto one = run;
    one.roofline = Roofline(ceilings, run.roofline.threads());
    keep_winners(one);
  }
  Winners kept() const { return kept_winners(run.machine, run.roofline.threads()); }
  std::string name(std::size_t ceiling) const { return run.roofline.ceilings().at(ceiling).name; }

  const testing::CacheFolder folder;
  const Results run = example::results(false);
};

TEST_F(KeptWinners, AreThoseOfAllRunsTheNewestOfEachCeiling) {
  EXPECT_TRUE(kept().empty());
  keep(0, "8 chains", 3);
  keep(1, "2 lines", 1);
  keep(0, "12 chains", 5);
  const auto winners = kept();
  ASSERT_EQ(winners.size(), 2u);
  EXPECT_EQ(winners.at(name(0)).variant, "12 chains");
  EXPECT_EQ(winners.at(name(0)).number, 5u);
  EXPECT_EQ(winners.at(name(1)).variant, "2 lines");
  EXPECT_TRUE(kept_winners(run.machine, run.roofline.threads() + 1).empty()) << "of another number of threads";
}

TEST_F(KeptWinners, OfAnotherProgramOrInADamagedFileAreNotTaken) {
  keep(0, "8 chains", 3);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file()) {
      auto text = read_file(entry.path());
      write_file(entry.path(), text.replace(text.find("program\":\"") + 10, 1, "x"));
    }
  EXPECT_TRUE(kept().empty());
  keep(0, "8 chains", 3);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file()) write_file(entry.path(), "{\"winners\": 7");
  EXPECT_TRUE(kept().empty());
}

}  // namespace
}  // namespace roofline::kept_winners_test
