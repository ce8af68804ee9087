#include "bench/text/words.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/result/reports.hpp"
#include "reporters/files/files.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/view/explain.hpp"
#include "tests/command_line.hpp"
#include "tests/full_results.hpp"

namespace roofline::words_test {
namespace {

// The glossary, and the words that no output may have.

TEST(Words, WhatTablesAndPlotsSayIsDefined) {
  std::set<std::string_view> defined;
  for (const auto& [word, meaning] : words()) {
    EXPECT_GT(meaning.size(), 20U) << word;
    EXPECT_TRUE(defined.insert(word).second) << word << " stands there twice";
  }
  const auto in_order = [](const Word& a, const Word& b) {
    return lower_case(std::string(a.word)) < lower_case(std::string(b.word));
  };
  EXPECT_TRUE(std::is_sorted(words().begin(), words().end(), in_order));
  for (const char* word : {"AI",       "alpha",  "attainable",
                           "beta",     "bound",  "canonical account",
                           "chain",    "chase",  "clean .. dirty",
                           "fma",      "share",  "fma+mul+div",
                           "interval", "issue",  "round robin .. greedy",
                           "mix",      "nofma",  "precision",
                           "probe",    "ridge",  "roof",
                           "round",    "sample", "set",
                           "chunks",   "source", "sustained",
                           "theory",   "update", "variant",
                           "write_nt"})
    EXPECT_TRUE(defined.contains(word)) << word;
}

TEST(Words, HiddenOnesAreInTheMeaningOfOthers) {
  std::string text;
  for (const auto& [word, meaning] : words()) text += fmt::format("{}: {}\n", word, meaning);
  for (const char* said : {"ILP", "slot", "software", "set:DRAM", "20 of 1024 chunks", "round robin", "emulated"})
    EXPECT_NE(text.find(said), text.npos) << said;
}

/// Words of this suite's own that readers had to learn; Google Benchmark's and the field's are in their place.
constexpr auto own_words =
    R"(\b(turns?|looks?|paces?|home|strangers?|lone|given[ _]up|beside|disturbed|contaminated|do not quote|held against|dram_pace|core_distance|elsewhere|slabs?|rulings?|remed(y|ies)|suspicions?|quotable)\b)";

/// The first of them with what is around it; empty where there is none.
std::string own_word_in(const std::string& text) {
  const auto found = matches(own_words, text, true);
  if (found.empty()) return {};
  const auto begin = found[0].at - std::min<std::size_t>(found[0].at, 40);
  return text.substr(begin, found[0].groups[0].size() + 80);
}

TEST(PlainWords, AreFoundWhereTheyAre) {
  EXPECT_EQ(own_word_in("a kernel in two turns"), "a kernel in two turns");
  EXPECT_EQ(own_word_in("return, overlook, alone, placed"), "");
}

TEST(PlainWords, AreNotInOutputsHelpAndReadme) {
  const auto results = example::full_results();
  std::map<std::string, std::string> texts{{"screen", screen_text(results, {})},
                                           {"everything", everything_text(results, false)},
                                           {"time plot", time_plot(results)},
                                           {"README", testing::contents(ROOFLINE_TEST_DATA "/../../README.md")}};
  for (const auto& [name, content] : reports().files) texts[name] = content(results);
  for (const auto& point : results.points) texts["explain"] += explain(results.roofline, point) + "\n";
  for (const auto& [word, meaning] : words()) texts["glossary"] += fmt::format("{}: {}\n", word, meaning);
  const testing::Scratch folder;
  texts["roofline_bench --help"] = testing::bench("--help", folder).out;
  for (const std::string subcommand :
       {"plot", "show", "explain", "convert", "portability", "compare", "ab", "claims", "cluster", "lab", "gpu"})
    texts[subcommand] = testing::roofline(subcommand + " --help", folder).out;
  for (const auto& [name, text] : texts) {
    EXPECT_GT(text.size(), 300u) << name;
    EXPECT_EQ(own_word_in(text), "") << name;
  }
}

}  // namespace
}  // namespace roofline::words_test
