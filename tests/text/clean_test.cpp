#include "bench/text/clean.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace roofline::clean_test {
namespace {

TEST(Clean, LeavesTextAlone) { EXPECT_EQ(clean("Zürich 0.5 µs → 漢 🙂"), "Zürich 0.5 µs → 漢 🙂"); }

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
    EXPECT_THROW(nlohmann::json(bad).dump(), nlohmann::json::exception);
    EXPECT_NO_THROW(nlohmann::json(clean(bad)).dump());
  }
  EXPECT_EQ(clean("caf\xe9!"), "caf\uFFFD!");
}

TEST(Printable, LeavesTextAlone) {
  EXPECT_EQ(printable("Zürich\t0.5 µs → 漢 🙂\n"), "Zürich\t0.5 µs → 漢 🙂\n");
}

TEST(Printable, TakesFromTerminalsWhatTheyObey) {
  EXPECT_EQ(printable("a\x1b[31mb\r\x07\x7f"), "a?[31mb???");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "?2J")
      << "the C1 form of ESC [";
}

TEST(Printable, TakesTurnsOfTheReadingDirection) {
  // A right-to-left override makes "fma" out of "amf"; isolates and line separators are of the same kind.
  EXPECT_EQ(printable("gpp/\u202eamf\u202c"), "gpp/?amf?");
  EXPECT_EQ(printable("\u2066a\u2069\u2028b"), "?a??b");
  EXPECT_EQ(printable("\u2027\u202f\u2065\u206a\u2013"), "\u2027\u202f\u2065\u206a\u2013")
      << "their neighbours are text";
}

TEST(Printable, ReplacesBytesThatAreNotUtf8) { EXPECT_EQ(printable("caf\xe9!\x80\xc3"), "caf?!??"); }

}  // namespace
}  // namespace roofline::clean_test
