#include "bench/suite/filter.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace roofline::filter_test {
namespace {

std::string refusal(const std::string& text) {
  try {
    Filter filter(text);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Filter, FindsAnExtendedExpressionAnywhere) {
  EXPECT_TRUE(Filter("nw:6.*stride:8").matches("gpp/nw:6/fma:1/stride:8"));
  EXPECT_TRUE(Filter("stream|gpp").matches("gpp/x"));
  EXPECT_FALSE(Filter("^pp").matches("gpp/x"));
  EXPECT_TRUE(Filter("all").matches("anything"));
  EXPECT_FALSE(Filter("all").selective());
}

TEST(Filter, AMinusInverts) {
  const Filter filter("-gpp");
  EXPECT_TRUE(filter.inverted());
  EXPECT_FALSE(filter.matches("gpp/x"));
  EXPECT_TRUE(filter.matches("stream"));
}

TEST(Filter, RefusesWhatCouldTakeForEver) {
  EXPECT_NE(refusal("(").find("not a regular expression"), std::string::npos);
  EXPECT_NE(refusal(std::string(100000, '(')).find("100000 characters"), std::string::npos);
  EXPECT_LT(refusal(std::string(100000, '(')).size(), 200u) << "one short line";
  EXPECT_NE(refusal("(a)\\1").find("references"), std::string::npos);
  EXPECT_NE(refusal("((a{50}){50}){50}").find("repetitions"), std::string::npos);
  EXPECT_EQ(refusal("a\\{2000}"), "") << "an escaped brace repeats nothing";
}

TEST(Filter, ANestedChoiceDoesNotBacktrack) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(Filter("(.|..)*z").matches(std::string(200, 'a')));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace roofline::filter_test
