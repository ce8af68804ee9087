#include "bench/text/format.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bench/text/table.hpp"

namespace roofline::format_test {
namespace {

TEST(Format, KeepsSignificantDigits) {
  EXPECT_EQ(significant(0.0625), "0.0625");
  EXPECT_EQ(significant(65.93), "65.9");
  EXPECT_EQ(significant(257.9), "258");
  EXPECT_EQ(significant(257.94, 4), "257.9");
  EXPECT_EQ(significant(7068.86), "7069");
  EXPECT_EQ(significant(14336), "14336");
  EXPECT_EQ(significant(-3.14159), "-3.14");
  EXPECT_EQ(significant(0), "0");
  // Rounding into the next decade keeps the number of digits.
  EXPECT_EQ(significant(9.994), "9.99");
  EXPECT_EQ(significant(9.996), "10.0");
  EXPECT_EQ(significant(99.97), "100");
  EXPECT_EQ(significant(999.96, 4), "1000");
  EXPECT_EQ(significant(1000), "1000");
  EXPECT_EQ(significant(0.1), "0.100");
  // Extreme values have an exponent.
  EXPECT_EQ(significant(1.234e-7), "1.23e-07");
  EXPECT_EQ(significant(5e12), "5.00e+12");
}

TEST(Format, WhatIsUnknownIsADash) {
  EXPECT_EQ(significant(std::optional<double>{}), "-");
  EXPECT_EQ(significant(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(percent(std::nullopt), "-");
  EXPECT_EQ(percent(std::numeric_limits<double>::infinity()), "-");
  EXPECT_EQ(duration(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(Format, PercentIsNeverClamped) {
  EXPECT_EQ(percent(0.9737), "97.4");
  EXPECT_EQ(percent(1.0064), "100.6");
  EXPECT_EQ(percent(3.42), "342.0");
}

TEST(Format, DurationsChooseTheirUnit) {
  EXPECT_EQ(duration(1.5), "1.50 s");
  EXPECT_EQ(duration(0.0123), "12.3 ms");
  EXPECT_EQ(duration(0.99996), "1.00 s");
  EXPECT_EQ(duration(42e-6), "42.0 us");
  EXPECT_EQ(duration(0.4e-9), "0.400 ns");
}

TEST(Format, CachesHaveBinaryUnits) {
  EXPECT_EQ(binary_size(48 << 10), "48 KiB");
  EXPECT_EQ(binary_size(1536 << 10), "1.5 MiB");
  EXPECT_EQ(binary_size(64), "64 B");
}

Table small() {
  return {"Title", {{"kernel", false}, {"GB/s"}}, {{{"group"}}, {{"  copy", "65.9"}}, {{"  a|b", "-"}}}, {"a note"}};
}

TEST(Table, TextIsAligned) {
  EXPECT_EQ(to_text(small()),
            "Title\n"
            "kernel GB/s\n"
            "------ ----\n"
            "group\n"
            "  copy 65.9\n"
            "  a|b     -\n"
            "a note\n");
}

TEST(Table, MarkdownHasTheSameCells) {
  EXPECT_EQ(to_markdown(small()),
            "### Title\n\n"
            "| kernel | GB/s |\n"
            "| --- | ---: |\n"
            "| **group** | |\n"
            "|   copy | 65.9 |\n"
            "|   a\\|b | - |\n"
            "\n"
            "- a note\n\n");
}

TEST(Table, ANameTooLongForItsColumnGetsItsOwnLineAndIsNotCut) {
  const Table table{"", {{"", false}, {""}}, {{{"a_very_long_kernel_name", "1234567"}}, {{"short", "8"}}}, {}};
  EXPECT_EQ(to_text(table, 20),
            "a_very_long_kernel_name\n"
            "             1234567\n"
            "short              8\n");
}

TEST(Table, NotesAndTextInTheLastColumnAreWrapped) {
  EXPECT_EQ(to_text({"", {}, {}, {"one two three four"}}, 10), "one two\n  three\n  four\n");
  const Table table{"", {{"", false}, {"", false}}, {{{"key", "words that do not fit into one line"}}}, {}};
  EXPECT_EQ(to_text(table, 24),
            "key words that do not\n"
            "    fit into one line\n");
}

TEST(Table, WidthIsCountedInCharacters) {
  const Table table{"", {{"", false}, {""}}, {{{"µs", "1"}}, {{"ab", "2"}}}, {}};
  EXPECT_EQ(to_text(table), "µs 1\nab 2\n");
}

TEST(Table, NothingGivesNothing) {
  EXPECT_EQ(to_text(Table{"Title", {{"a"}}, {}, {}}), "");
  EXPECT_EQ(to_markdown(Table{"Title", {{"a"}}, {}, {}}), "");
}

TEST(Wrap, LeavesShortLinesAsTheyAreAndIndentsWhatLongOnesGoOnWith) {
  const std::string text = "GPP, a kernel:\n  a = b  + c\n\nnw      frequencies\n", words(96, 'x');
  EXPECT_EQ(wrap_lines(text, 2), text);
  EXPECT_EQ(wrap_lines(text + words + " and more", 2), text + words + " and\n  more\n");
}

}  // namespace
}  // namespace roofline::format_test
