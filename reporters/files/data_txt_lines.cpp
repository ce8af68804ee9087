#include "reporters/files/data_txt_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

std::string with_plain_quotes(std::string text) {
  for (const char* const typographic : {"\u2018", "\u2019", "\u201c", "\u201d"})
    for (std::size_t at; (at = text.find(typographic)) != std::string::npos;) text.replace(at, 3, "'");
  return text;
}

}  // namespace

DataTxtLines::DataTxtLines(const std::string& text, std::string origin) : origin_(std::move(origin)) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::replace(line.begin(), line.end(), '\t', ' ');
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const auto begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line[begin] == '#') continue;
    const auto end = std::min(line.find(' ', begin), line.size());
    const auto key = line.substr(begin, end - begin);
    if (!lines_.emplace(key, Line{number, line.substr(end)}).second) fail(number, "a second line " + key);
  }
}

void DataTxtLines::fail(int line, const std::string& what) const {
  throw FileError(fmt::format("{}:{}: {}", origin_, line, what));
}

std::string DataTxtLines::said_at(const std::string& key, const std::string& what) const {
  return fmt::format("{}:{}: {}: {}", origin_, line_of(key), key, what);
}

std::vector<std::string> DataTxtLines::others(const std::vector<std::string>& known) const {
  std::vector<std::string> keys;
  for (const auto& [key, line] : lines_)
    if (std::find(known.begin(), known.end(), key) == known.end()) keys.push_back(key);
  return keys;
}

std::vector<double> DataTxtLines::numbers(const std::string& key) const {
  std::vector<double> values;
  for (const auto& value : numbers_or_gaps(key)) {
    if (!value) fail(line_of(key), key + ": 'nan' is not a positive number");
    values.push_back(*value);
  }
  return values;
}

std::vector<std::optional<double>> DataTxtLines::numbers_or_gaps(const std::string& key) const {
  std::vector<std::optional<double>> values;
  if (!has(key)) return values;
  const auto& [number, text] = lines_.at(key);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == missing) {
      values.emplace_back();
      continue;
    }
    const auto value = as_number<double>(word);
    if (!value || !std::isfinite(*value) || *value <= 0)
      fail(number, fmt::format("{}: '{}' is not a positive number", key, word.substr(0, 40)));
    values.push_back(value);
  }
  return values;
}

std::vector<std::string> DataTxtLines::names(const std::string& key) const {
  std::vector<std::string> list;
  if (!has(key)) return list;
  const auto& [number, raw] = lines_.at(key);
  const auto text = with_plain_quotes(raw);
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
    const char quote = text[at];
    if (quote != '\'' && quote != '"') fail(number, key + ": a name in quotes is expected");
    const auto end = text.find(quote, at + 1);
    if (end == std::string::npos) fail(number, key + ": a quote is not closed");
    list.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return list;
}

}  // namespace roofline
