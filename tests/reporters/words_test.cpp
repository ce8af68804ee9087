#include "bench/text/words.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "bench/result/reports.hpp"
#include "reporters/files/files.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/view/explain.hpp"
#include "tests/command_line.hpp"
#include "tests/full_results.hpp"

namespace roofline::words_test {
namespace {

/// Words of this suite's own that readers had to learn; Google Benchmark's and the field's are in their place.
const std::regex own_words(
    R"(\b(turns?|looks?|paces?|home|strangers?|lone|given[ _]up|beside|disturbed|contaminated|do not quote|held against|dram_pace|core_distance|elsewhere|slabs?|rulings?|remed(y|ies)|suspicions?|quotable)\b)",
    std::regex::icase);

/// The first of them with what is around it; empty where there is none.
std::string own_word_in(const std::string& text) {
  std::smatch match;
  if (!std::regex_search(text, match, own_words)) return {};
  const auto at = static_cast<std::size_t>(match.position());
  const auto begin = at - std::min<std::size_t>(at, 40);
  return text.substr(begin, static_cast<std::size_t>(match.length()) + 80);
}

/// A run with something to say in every table.
Results talkative() {
  auto results = example::full_results();
  results.points[0].counts.counted = {{"flops_fp64", 42e6, 35e6, 1.2}};
  results.points[0].counts.regions = 1e4;
  results.points[1].counts.unpaired = 1e9;
  results.points[2].time.median /= 3;
  example::add_rounds(results.roofline, results.points[2]);
  example::add_rounds(results.roofline, results.points[3], 0.3);
  results.noise = HostNoise{0.5, 0.5};
  assess(results);
  return results;
}

TEST(PlainWords, AreFoundWhereTheyAre) {
  EXPECT_EQ(own_word_in("a kernel in two turns"), "a kernel in two turns");
  EXPECT_EQ(own_word_in("return, overlook, alone, placed"), "");
}

TEST(PlainWords, AreNotInOutputs) {
  const auto results = talkative();
  EXPECT_EQ(own_word_in(screen_text(results, {})), "");
  EXPECT_EQ(own_word_in(everything_text(results, false)), "");
  EXPECT_EQ(own_word_in(time_plot(results)), "");
  for (const auto& [name, content] : reports().files) EXPECT_EQ(own_word_in(content(results)), "") << name;
  for (const auto& point : results.points) EXPECT_EQ(own_word_in(explain(results.roofline, point)), "") << point.name;
}

TEST(PlainWords, AreNotInTheGlossary) {
  for (const auto& [word, meaning] : words())
    EXPECT_EQ(own_word_in(std::string(word) + ": " + std::string(meaning)), "");
}

TEST(PlainWords, AreNotInTheReadme) {
  const auto text = testing::contents(ROOFLINE_TEST_DATA "/../../README.md");
  ASSERT_GT(text.size(), 1000u);
  EXPECT_EQ(own_word_in(text), "");
}

TEST(PlainWords, AreNotInHelp) {
  const testing::Scratch folder;
  EXPECT_EQ(own_word_in(testing::bench("--help", folder).out), "");
  for (const std::string subcommand : {"plot", "show", "explain", "convert", "portability", "compare", "ab", "baseline",
                                       "claims", "cluster", "lab", "gpu"}) {
    const auto help = testing::shell("'" ROOFLINE_CLI "' " + subcommand + " --help", folder);
    EXPECT_EQ(help.code, 0) << subcommand;
    EXPECT_EQ(own_word_in(help.out), "") << subcommand;
  }
}

}  // namespace
}  // namespace roofline::words_test
