#pragma once
#include <string>
#include <vector>

namespace roofline {

/// One table, or one block of remarks, that the terminal and the Markdown file both show.
struct Table {
  struct Column {
    std::string header;
    bool numbers = true;  ///< aligned to the right
  };
  struct Row {
    std::vector<std::string> cells;  ///< one per column; a single cell is the heading of a group
  };

  std::string title;
  std::vector<Column> columns = {};  ///< none: only title and notes
  std::vector<Row> rows = {};
  std::vector<std::string> notes = {};

  bool empty() const { return rows.empty() && notes.empty(); }
};

/// Columns by their headers, "<kernel|time": one that begins with '<' has texts, aligned to the left.
std::vector<Table::Column> table_columns(const std::string& headers);

/// The width every table of the terminal keeps to.
inline constexpr std::size_t terminal_width = 100;

/// Aligned columns and wrapped notes within `width` characters, from 40 on. A table that is wider comes in parts below
/// each other, a first cell too long for its column gets a line of its own: nothing is cut. Notes are never wider than
/// terminal_width. Empty tables give no text.
std::string to_text(const Table& table, std::size_t width = terminal_width);

/// The same as GitHub-flavoured Markdown.
std::string to_markdown(const Table& table);

/// Words of `text` in lines of at most `width` characters, continued with an indent.
std::string wrap(const std::string& text, std::size_t width, std::size_t indent = 2);

/// Each line as it is, or wrapped where it is longer than terminal_width.
std::string wrap_lines(const std::string& text, std::size_t indent);

}  // namespace roofline
