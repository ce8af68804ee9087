#include "bench/text/table.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string_view>

#include "bench/text/clean.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

/// Characters, not bytes, of UTF-8 text.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string pad(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width > length(text) ? width - length(text) : 0, ' ');
  return right ? blanks + text : text + blanks;
}

bool is_heading(const Table& table, const Table::Row& row) { return row.cells.size() == 1 && table.columns.size() > 1; }

/// The width of each column: the longest of its header and cells.
std::vector<std::size_t> content_widths(const Table& table) {
  std::vector<std::size_t> widths;
  for (const auto& column : table.columns) widths.push_back(length(column.header));
  for (const auto& row : table.rows) {
    if (is_heading(table, row)) continue;
    for (std::size_t i = 0; i < row.cells.size(); ++i) widths[i] = std::max(widths[i], length(row.cells[i]));
  }
  return widths;
}

std::vector<std::size_t> column_widths(const Table& table, std::size_t width) {
  auto widths = content_widths(table);
  // A text column at the end is wrapped, otherwise the first column keeps what the others leave.
  const auto shrink = [&](std::size_t& column, std::size_t least) {
    const auto total = std::accumulate(widths.begin(), widths.end(), widths.size() - 1);
    if (total > width) column -= std::min(total - width, column - std::min(column, least));
  };
  if (!table.columns.back().numbers) shrink(widths.back(), 16);
  shrink(widths.front(), 1);
  return widths;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string text_line(const Table& table, const std::vector<std::string>& cells,
                      const std::vector<std::size_t>& widths) {
  std::string text, line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool numbers = table.columns[i].numbers;
    if (i > 0) line += ' ';
    if (i == 0 && length(cells[i]) > widths[i]) {
      text = cells[i] + '\n';
      line = std::string(widths[i], ' ');
    } else if (i + 1 == cells.size() && length(cells[i]) > widths[i] && !numbers) {
      const std::string hanging(length(line), ' ');
      std::istringstream parts(wrap(cells[i], widths[i], 0));
      for (std::string part; std::getline(parts, part); line = hanging) text += line + part + '\n';
      return text;
    } else {
      line += pad(cells[i], widths[i], numbers);
    }
  }
  return text + without_trailing_blanks(line);
}

/// Header and rows.
std::string grid(const Table& table, std::size_t width) {
  std::string text;
  const auto widths = column_widths(table, width);
  std::vector<std::string> headers, rules;
  for (const auto& column : table.columns) {
    headers.push_back(column.header);
    rules.push_back(std::string(widths[headers.size() - 1], '-'));
  }
  const bool has_header = std::any_of(headers.begin(), headers.end(), [](const auto& h) { return !h.empty(); });
  if (has_header) text += text_line(table, headers, widths) + text_line(table, rules, widths);
  for (const auto& row : table.rows)
    text += is_heading(table, row) ? wrap(row.cells[0], width) : text_line(table, row.cells, widths);
  return text;
}

/// A table that is too wide as several, each with the first column: nothing is cut off.
std::vector<Table> parts_of(const Table& table, std::size_t width) {
  constexpr std::size_t least_first = 12, widest_text = 40;
  auto widths = content_widths(table);
  if (!table.columns.back().numbers) widths.back() = std::min(widths.back(), widest_text);  // it is wrapped
  const auto first = std::min(widths.front(), least_first);
  std::vector<std::vector<std::size_t>> columns(1);
  std::size_t used = first;
  for (std::size_t i = 1; i < widths.size(); ++i) {
    if (!columns.back().empty() && used + 1 + widths[i] > width) columns.emplace_back(), used = first;
    columns.back().push_back(i), used += 1 + widths[i];
  }
  if (columns.size() == 1) return {table};
  std::vector<Table> parts;
  for (const auto& chosen : columns) {
    Table part{{}, {table.columns.front()}, {}, {}};
    for (const auto i : chosen) part.columns.push_back(table.columns[i]);
    for (const auto& row : table.rows) {
      auto cells = row.cells;
      if (!is_heading(table, row)) {
        cells.resize(1);
        for (const auto i : chosen) cells.push_back(row.cells[i]);
      }
      part.rows.push_back({std::move(cells)});
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

std::string escaped_cell(const std::string& cell) {
  std::string text;
  for (const char c : cell) {
    // Every sign that begins something in Markdown or HTML.
    if (std::string_view("|*_<>`\\[]!&~$").find(c) != std::string_view::npos) text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return printable(text);
}

}  // namespace

std::string wrap(const std::string& text, std::size_t width, std::size_t indent) {
  std::istringstream words(text);
  std::string result, line, word;
  while (words >> word) {
    if (!line.empty() && length(line) + 1 + length(word) > width) {
      result += without_trailing_blanks(line);
      line = std::string(indent, ' ') + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return line.empty() ? result : result + without_trailing_blanks(line);
}

std::string wrap_lines(const std::string& text, std::size_t indent) {
  std::string result;
  for (const auto& line : split(text, '\n'))
    result += line.size() <= terminal_width ? line + "\n" : wrap(line, terminal_width, indent);
  return result;
}

std::vector<Table::Column> table_columns(const std::string& headers) {
  std::vector<Table::Column> columns;
  std::istringstream words(headers);
  for (std::string word; std::getline(words, word, '|');)
    columns.push_back(word.starts_with('<') ? Table::Column{word.substr(1), false} : Table::Column{word});
  return columns;
}

std::string to_text(const Table& table, std::size_t width) {
  if (table.empty()) return {};
  const auto prose = std::min(width, terminal_width);
  std::string text = table.title.empty() ? "" : wrap(table.title, prose);
  if (!table.columns.empty() && !table.rows.empty())
    for (const auto& part : parts_of(table, width)) text += grid(part, width);
  for (const auto& note : table.notes) text += wrap(note, prose);
  return printable(text);
}

std::string to_markdown(const Table& table) {
  if (table.empty()) return {};
  std::string text = table.title.empty() ? "" : "### " + escaped_cell(table.title) + "\n\n";
  if (!table.columns.empty() && !table.rows.empty()) {
    std::string rule = "|";
    text += "|";
    for (const auto& column : table.columns) {
      text += " " + escaped_cell(column.header) + " |";
      rule += column.numbers ? " ---: |" : " --- |";
    }
    text += "\n" + rule + "\n";
    for (const auto& row : table.rows) {
      if (is_heading(table, row)) {
        text += "| **" + escaped_cell(row.cells[0]) + "** |";
        for (std::size_t i = 1; i < table.columns.size(); ++i) text += " |";
      } else {
        text += "|";
        for (const auto& cell : row.cells) text += " " + escaped_cell(cell) + " |";
      }
      text += "\n";
    }
    text += "\n";
  }
  for (const auto& note : table.notes) text += "- " + escaped_cell(note) + "\n";
  return text + "\n";
}

}  // namespace roofline
