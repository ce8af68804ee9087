#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/text/clean.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/imports/number_format.hpp"
#include "bench/text/imports/unit.hpp"
#include "bench/text/output.hpp"

namespace roofline::foreign_text_test {
namespace {

TEST(PlainText, MarksAndUtf16AreNothing) {
  using std::string_literals::operator""s;
  EXPECT_EQ(plain_text("\uFEFFa\r\nb\n", "f"), "a\nb\n");
  EXPECT_EQ(plain_text("a\rb\r\r\n\r", "f"), "a\rb\r\n\r");
  EXPECT_EQ(plain_text("\377\376a\0\xb5\0\n\0"s, "f"), "a\u00b5\n");
  EXPECT_EQ(plain_text("\0{\0}"s, "f"), "{}");
  EXPECT_EQ(plain_text("\377\376\x3d\xd8\x00\xde"s, "f"), "\U0001f600");
  EXPECT_THROW(plain_text("\377\376a\0b"s, "f"), FileError);
}

/// The value of a column of cells, or the words of the refusal.
std::string read_as(const std::vector<std::string>& cells, char decimal = 0) {
  NumberFormat format(decimal);
  for (const auto& cell : cells) format.see(cell);
  std::string values;
  try {
    for (const auto& cell : cells) {
      const auto value = format.read(cell);
      values += (values.empty() ? "" : " ") + (value ? std::to_string(*value) : "none");
    }
  } catch (const std::invalid_argument& why) {
    return why.what();
  }
  return values;
}

TEST(NumberFormat, TheWholeColumnTellsHowItIsWritten) {
  EXPECT_EQ(read_as({"1,234", "0.5"}), "1234.000000 0.500000");
  EXPECT_EQ(read_as({"1.234", "0,5"}), "1234.000000 0.500000");
  EXPECT_EQ(read_as({"1 234,25", "1.5e3"}).find("two languages") != std::string::npos, true);
  EXPECT_EQ(read_as({"1\u2009234\u2009567,25"}), "1234567.250000");
  EXPECT_EQ(read_as({"1'234.25", "1e+03"}), "1234.250000 1000.000000");
  EXPECT_EQ(read_as({"1.234.567"}), "1234567.000000") << "no decimal mark stands twice";
  EXPECT_EQ(read_as({"1.234.567", "0,5"}), "1234567.000000 0.500000");
  EXPECT_EQ(read_as({"1.024"}, ','), "1024.000000") << "the user says it";
  EXPECT_NE(read_as({"1,024"}).find("--decimal"), std::string::npos) << "nothing tells";
  EXPECT_NE(read_as({"1,5", "2.5"}).find("two languages"), std::string::npos);
  EXPECT_EQ(read_as({"n/a", "nan", "-", ""}), "none none none none");
  for (const auto* const none : {"1x", "-3", "1,23,456.5", "1e999", "0x10", "1..5"})
    EXPECT_NE(read_as({none}).find(none), std::string::npos) << none;
}

TEST(Units, PrefixesAndSpellings) {
  const auto factor = [](const char* text) {
    const auto unit = unit_named(text);
    return unit ? unit->of + " " + std::to_string(unit->factor) : "unknown";
  };
  for (const auto* const giga : {"Gbyte", "GB", "gbytes", "GBytes"})
    EXPECT_EQ(factor(giga), "byte 1000000000.000000") << giga;
  EXPECT_EQ(factor("MiB/s"), "byte/second 1048576.000000");
  EXPECT_EQ(factor("GBps"), "byte/second 1000000000.000000");
  EXPECT_EQ(factor("cycle/nsecond"), "cycle/second 1000000000.000000");
  EXPECT_EQ(factor("Ghz"), "cycle/second 1000000000.000000");
  EXPECT_EQ(factor("usecond"), "second 0.000001");
  EXPECT_EQ(factor("\u00b5s"), "second 0.000001");
  for (const auto* const none : {"furlong", "Gb/s", "Ms", "Xbyte", "%", "byte/furlong"})
    EXPECT_EQ(factor(none), "unknown") << none;
  EXPECT_EQ(unit_in("FOM: GB/s", "byte")->factor, 1e9);
  EXPECT_EQ(unit_in("avg_tflops", "flop")->factor, 1e12);
  EXPECT_EQ(unit_in("max_mbytes_per_sec", "byte")->of, "byte/second");
  EXPECT_EQ(unit_in("max_mbytes_per_sec", "byte")->factor, 1e6);
  EXPECT_FALSE(unit_in("bandwidth", "byte"));
}

TEST(ForeignTable, IsFoundAmongOtherLinesAndRefusesWhatIsCut) {
  const auto rows = [](const std::string& text) {
    return ForeignTable::one(text, "f.csv", {"a", "b"}, {}).rows.size();
  };
  EXPECT_EQ(rows("hello, world\n==PROF== x\nA;B\n1;2\n==PROF== done\n3;4\n"), 2u);
  EXPECT_EQ(rows("a,b\n1,\"2\""), 1u) << "a closed quote is an end";
  EXPECT_THROW(rows("a,b\n1,2"), FileError);
  EXPECT_THROW(rows("a,b\n1\n"), FileError);
  EXPECT_THROW(rows("a,b\n1,\"2\n"), FileError);
  EXPECT_THROW(rows("a,b,B\n1,2,3\n"), FileError);
  EXPECT_THROW(rows("a\n1\n"), FileError);
}

TEST(Clean, TakesFromTerminalsWhatTheyObey) {
  EXPECT_EQ(clean("Zürich 0.5 µs → 漢 🙂"), "Zürich 0.5 µs → 漢 🙂");
  EXPECT_EQ(clean("a\x1b[31mb\n\r\t\x7f"), "a\uFFFD[31mb\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(clean("\302\2332J"), "\uFFFD2J") << "the C1 form of ESC [";
}

TEST(Clean, ReplacesEveryByteThatIsNotUtf8) {
  // cut off, alone, overlong (of '/'), a surrogate, beyond U+10FFFF
  for (const char* bad :
       {"caf\xe9", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    EXPECT_THROW(nlohmann::ordered_json(bad).dump(), nlohmann::ordered_json::exception);
    EXPECT_NO_THROW(nlohmann::ordered_json(clean(bad)).dump());
  }
  EXPECT_EQ(clean("caf\xe9!"), "caf\uFFFD!");
}

TEST(Shortened, CutsNoCharacterInHalf) {
  EXPECT_EQ(shortened("Größe", 7), "Größe");
  EXPECT_EQ(shortened("abcdefgh", 7), "abcd...");
  EXPECT_EQ(shortened("abcößefg", 7), "abc...");
}

TEST(Printable, TakesFromTerminalsWhatTheyObey) {
  EXPECT_EQ(printable("Zürich\t0.5 µs → 漢 🙂\n"), "Zürich\t0.5 µs → 漢 🙂\n");
  EXPECT_EQ(printable("caf\xe9!\x80\xc3"), "caf?!??") << "bytes that are not UTF-8";
  EXPECT_EQ(printable("a\x1b[31mb\r\x07\x7f"), "a?[31mb???");
  EXPECT_EQ(printable("\302\2332J"), "?2J") << "the C1 form of ESC [";
}

TEST(Printable, TakesTurnsOfTheReadingDirection) {
  // A right-to-left override makes "fma" out of "amf"; isolates and line separators are of the same kind.
  EXPECT_EQ(printable("gpp/\u202eamf\u202c"), "gpp/?amf?");
  EXPECT_EQ(printable("\u2066a\u2069\u2028b"), "?a??b");
  EXPECT_EQ(printable("\u2027\u202f\u2065\u206a\u2013"), "\u2027\u202f\u2065\u206a\u2013")
      << "their neighbours are text";
}

}  // namespace
}  // namespace roofline::foreign_text_test
