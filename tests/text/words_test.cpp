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

}  // namespace
}  // namespace roofline::words_test
