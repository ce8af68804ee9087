#include "bench/text/csv.hpp"

#include <cstdlib>
#include <string_view>

#include "bench/text/clean.hpp"

namespace roofline {

Csv parse_csv(const std::string& text, char separator) {
  Csv csv;
  CsvRecord record;
  std::string field;
  bool quoted = false, empty = true;
  int line = 1, first_line = 1;
  const auto end_field = [&] { record.fields.push_back(std::move(field)), field.clear(); };
  const auto end_record = [&] {
    if (!empty) {
      end_field();
      record.line = first_line;
      csv.records.push_back(std::move(record));
    }
    record = {}, field.clear(), empty = true;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"')
        field += '"', ++i;
      else if (c == '"')
        quoted = false;
      else
        field += c;
      line += c == '\n';
      continue;
    }
    if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (c == '\n') {
      end_record();
      first_line = ++line;
      continue;
    }
    empty = false;
    if (c == '"' && field.empty())
      quoted = true;
    else if (c == separator)
      end_field();
    else
      field += c;
  }
  csv.complete = !quoted;
  csv.ended = text.empty() || text.back() == '\n' || text.back() == '"';
  end_record();
  return csv;
}

std::string csv_field(const std::string& text) {
  auto field = clean(text);
  const auto is_number = [&] {
    char* end = nullptr;
    std::strtod(field.c_str(), &end);
    return *end == 0;
  };
  if (!field.empty() && std::string_view("=+-@").find(field.front()) != std::string_view::npos && !is_number())
    field.insert(0, "'");
  if (field.find_first_of(",\"") == field.npos) return field;
  std::string quoted;
  for (const char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return '"' + quoted + '"';
}

}  // namespace roofline
