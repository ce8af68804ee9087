#include "bench/text/table.hpp"

#include <gtest/gtest.h>

namespace roofline::table_test {
namespace {

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

TEST(Table, TextInTheLastColumnIsWrapped) {
  const Table table{"", {{"", false}, {"", false}}, {{{"key", "words that do not fit into one line"}}}, {}};
  EXPECT_EQ(to_text(table, 24),
            "key words that do not\n"
            "    fit into one line\n");
}

TEST(Table, NotesAreWrapped) {
  const Table table{"", {}, {}, {"one two three four"}};
  EXPECT_EQ(to_text(table, 10), "one two\n  three\n  four\n");
}

TEST(Table, WidthIsCountedInCharacters) {
  const Table table{"", {{"", false}, {""}}, {{{"µs", "1"}}, {{"ab", "2"}}}, {}};
  EXPECT_EQ(to_text(table), "µs 1\nab 2\n");
}

TEST(Table, NothingGivesNothing) {
  EXPECT_EQ(to_text(Table{"Title", {{"a"}}, {}, {}}), "");
  EXPECT_EQ(to_markdown(Table{"Title", {{"a"}}, {}, {}}), "");
}

}  // namespace
}  // namespace roofline::table_test
