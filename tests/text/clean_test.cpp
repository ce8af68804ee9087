#include "bench/text/clean.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace roofline::clean_test {
namespace {

TEST(Clean, LeavesTextAlone) {
  EXPECT_EQ(clean("Zürich 0.5 µs → 漢 🙂"), "Zürich 0.5 µs → 漢 🙂");
  EXPECT_TRUE(is_utf8("Zürich 漢 🙂"));
}

TEST(Clean, TakesFromTerminalsWhatTheyObey) {
  EXPECT_EQ(clean("a\x1b[31mb\n\r\t\x7f"), "a\uFFFD[31mb\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(clean("\xC2\x9B"
                  "2J"),
            "\uFFFD2J")
      << "the C1 form of ESC [";
}

TEST(Clean, ReplacesEveryByteThatIsNotUtf8) {
  // cut off, alone, overlong (of '/'), a surrogate, beyond U+10FFFF
  for (const char* bad :
       {"caf\xe9", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    EXPECT_FALSE(is_utf8(bad)) << bad;
    EXPECT_TRUE(is_utf8(clean(bad)));
    EXPECT_NO_THROW(nlohmann::json(clean(bad)).dump());
  }
  EXPECT_EQ(clean("caf\xe9!"), "caf\uFFFD!");
}

}  // namespace
}  // namespace roofline::clean_test
