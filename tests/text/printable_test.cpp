#include "bench/text/printable.hpp"

#include <gtest/gtest.h>

namespace roofline::printable_test {
namespace {

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
}  // namespace roofline::printable_test
