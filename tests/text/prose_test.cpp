#include "bench/text/prose.hpp"

#include <gtest/gtest.h>

namespace roofline::prose_test {
namespace {

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
}  // namespace roofline::prose_test
