#include "bench/text/words.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace roofline::words_test {
namespace {

TEST(Words, WhatTablesAndPlotsSayIsDefined) {
  std::set<std::string_view> defined;
  for (const auto& [word, meaning] : words()) {
    EXPECT_GT(meaning.size(), 20U) << word;
    EXPECT_TRUE(defined.insert(word).second) << word << " stands there twice";
  }
  for (const char* word : {"AI",       "alpha",  "attainable",
                           "beta",     "bound",  "canonical account",
                           "chain",    "chase",  "clean .. dirty",
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
  for (const char* said : {"ILP", "slot", "software", "set:DRAM", "20 of 1024 chunks", "round robin"})
    EXPECT_NE(text.find(said), text.npos) << said;
}

const std::string words = "four words of prose ";  // 20 characters

TEST(Prose, ShortLinesStayAsTheyAre) {
  const std::string text = "GPP, a kernel:\n  a = b  + c\n\nnw      frequencies\nLook at: the point\n";
  EXPECT_EQ(fit_to_terminal(text), text);
}

TEST(Prose, AFullLineGoesOnInTheNext) {
  const auto five = words + words + words + words + "four words of prose";
  EXPECT_EQ(fit_to_terminal(five + " more\nand more"), five + "\nmore and more\n");
}

TEST(Prose, AGlossaryKeepsItsColumn) {
  const auto four = words + words + words + "four words of prose";
  EXPECT_EQ(fit_to_terminal("branch  " + four + " some more\n        and more\nfp      all"),
            "branch  " + four + " some more\n        and more\nfp      all\n");
  EXPECT_EQ(fit_to_terminal("branch  " + four + " long long words and more\n        and more"),
            "branch  " + four + " long long\n        words and more and more\n");
}

TEST(Prose, WhatAReaderLooksForBeginsALine) {
  const auto five = words + words + words + words + "four words of prose";
  EXPECT_EQ(fit_to_terminal(five + "\nLook at: x"), five + "\nLook at: x\n");
  EXPECT_EQ(fit_to_terminal(five + ".\nGTC 2020"), five + ".\nGTC 2020\n");
}

}  // namespace
}  // namespace roofline::words_test
