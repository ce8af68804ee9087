#include "bench/suite/choices.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace roofline::choices_test {
namespace {

TEST(Choices, WordsAreChoicesAndWhatLooksLikeAFileIsOne) {
  EXPECT_EQ(parse_ceilings_choice("full").kind, CeilingsChoice::Kind::full);
  EXPECT_TRUE(parse_ceilings_choice("auto").measured());
  EXPECT_FALSE(parse_ceilings_choice("none").measured());
  EXPECT_EQ(parse_ceilings_choice("out/run.json").file, "out/run.json");
  EXPECT_FALSE(parse_ceilings_choice("out/run.json").measured());
  EXPECT_EQ(parse_counters_choice("ncu.csv").kind, CountersChoice::Kind::file);
  EXPECT_EQ(parse_counters_choice("model").kind, CountersChoice::Kind::model);
}

TEST(Choices, AMistypedWordIsNoFile) {
  for (const char* const text : {"ful", "quik", "nonee", "", "Auto"}) {
    try {
      parse_ceilings_choice(text);
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("auto, full, none, quick"), std::string::npos) << error.what();
    }
  }
  try {
    parse_ceilings_choice("ful");
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean full?"), std::string::npos) << error.what();
  }
  EXPECT_THROW(parse_counters_choice("cuptii"), std::invalid_argument);
}

}  // namespace
}  // namespace roofline::choices_test
