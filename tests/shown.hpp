#pragma once
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "bench/text/table.hpp"

namespace roofline::testing {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Characters, not bytes.
inline std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// The cells of the row that begins with `name`; empty when there is none.
inline std::vector<std::string> row_of(const Table& table, const std::string& name) {
  for (const auto& row : table.rows)
    if (row.cells.size() > 1 && row.cells[0] == name) return row.cells;
  return {};
}

inline std::vector<std::string> headers_of(const Table& table) {
  std::vector<std::string> headers;
  for (const auto& column : table.columns) headers.push_back(column.header);
  return headers;
}

}  // namespace roofline::testing
