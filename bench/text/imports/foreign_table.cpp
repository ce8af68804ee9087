#include "bench/text/imports/foreign_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

bool is_header(const CsvRecord& record, const std::vector<std::string>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& name) {
    return std::any_of(record.fields.begin(), record.fields.end(),
                       [&](const auto& field) { return plain_word(field) == plain_word(name); });
  });
}

/// Lines that programs print among the rows of their tables.
bool is_no_row(const CsvRecord& record, std::size_t columns) {
  const auto& first = record.fields.front();
  return ((first.starts_with("==") || first.starts_with("#")) && record.fields.size() != columns) ||
         (record.fields.size() == 1 && trimmed(first).find(' ') != first.npos);
}

}  // namespace

std::string plain_word(std::string_view text) { return lower_case(std::string(trimmed(text))); }

bool mentions(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::all_of(words.begin(), words.end(), [&](auto word) { return text.find(word) != text.npos; });
}

std::vector<ForeignTable> ForeignTable::find(const std::string& text, const std::string& origin,
                                             const std::vector<std::string>& wanted, const Rules& rules) {
  std::vector<ForeignTable> tables;
  for (const char separator : {',', ';', '\t'}) {
    const auto csv = parse_csv(text, separator);
    for (auto at = csv.records.begin(); at != csv.records.end();) {
      if (!is_header(*at, wanted)) {
        ++at;
        continue;
      }
      auto& table = tables.emplace_back();
      table.origin_ = origin, table.numbers_ = NumberFormat(rules.decimal), table.odd_ = rules.odd;
      for (const auto& name : at->fields) table.columns.emplace_back(trimmed(name));
      std::set<std::string> seen;
      for (const auto& name : table.columns)
        if (!name.empty() && !seen.insert(plain_word(name)).second)
          table.fail(at->line, fmt::format("column {} occurs twice", clean(name)));
      const auto first = plain_word(at->fields.front());
      const auto is_next = [&](const CsvRecord& record) {
        return (!first.empty() && plain_word(record.fields.front()) == first) || is_header(record, wanted);
      };
      for (++at; at != csv.records.end() && !is_next(*at); ++at) {
        if (is_no_row(*at, table.columns.size())) continue;
        if (at + 1 == csv.records.end() && !csv.complete)
          table.fail(at->line, "a quoted field is not closed: cut short?");
        if (at + 1 == csv.records.end() && !csv.ended)
          table.fail(at->line, "the last line has no end: was the file cut short? If not, end it with a line break");
        const auto fields = at->fields.size(), heads = table.columns.size();
        const auto least = rules.through.empty() ? heads : table.column(rules.through).value_or(heads - 1) + 1;
        if (fields > heads || fields < least)
          table.fail(at->line, fmt::format("{} fields, the header has {}", fields, heads));
        table.rows.push_back(*at);
        table.rows.back().fields.resize(heads);
        for (auto& field : table.rows.back().fields) field = trimmed(field);
      }
    }
    if (!tables.empty()) break;
  }
  return tables;
}

ForeignTable ForeignTable::one(const std::string& text, const std::string& origin,
                               const std::vector<std::string>& wanted, const Rules& rules) {
  auto tables = find(text, origin, wanted, rules);
  if (tables.empty()) throw FileError(fmt::format("{}:1: no header with {}", origin, fmt::join(wanted, ", ")));
  if (tables.size() > 1)
    tables[1].fail(tables[1].rows.empty() ? 1 : tables[1].rows[0].line, "a second table: one file for each");
  return std::move(tables[0]);
}

std::optional<std::size_t> ForeignTable::column(std::string_view name) const {
  const auto word = plain_word(name);
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (plain_word(columns[c]) == word) return c;
  return std::nullopt;
}

std::string ForeignTable::text(const CsvRecord& row, std::string_view name) const {
  const auto at = column(name);
  return at ? row.fields[*at] : std::string();
}

void ForeignTable::see(const CsvRecord& row, std::size_t column, bool whole) {
  std::string_view field = row.fields[column];
  if (field.ends_with("%")) field.remove_suffix(1);
  numbers_.see(field, whole);
}

void ForeignTable::see(std::string_view name, bool whole) {
  if (const auto at = column(name))
    for (const auto& row : rows) see(row, *at, whole);
}

std::optional<double> ForeignTable::number(const CsvRecord& row, std::size_t column, bool whole) const {
  try {
    return numbers_.read(row.fields[column], whole);
  } catch (const NoNumber& why) {
    const auto what = fmt::format("{}: {}", clean(columns[column]), why.what());
    if (!odd_) fail(row.line, what);
    if (odd_columns_.insert(column).second)
      odd_->push_back(
          fmt::format("{}:{}: {}: left out, as others of the kind in this column", origin_, row.line, what));
    return std::nullopt;
  } catch (const std::invalid_argument& why) {
    fail(row.line, fmt::format("{}: {}", clean(columns[column]), why.what()));
  }
}

std::optional<double> ForeignTable::number(const CsvRecord& row, std::string_view name, bool whole) const {
  const auto at = column(name);
  return at ? number(row, *at, whole) : std::nullopt;
}

std::optional<double> ForeignTable::fraction(const CsvRecord& row, std::string_view name, bool percent) const {
  const auto at = column(name);
  if (!at) return std::nullopt;
  auto bare = row;
  auto& field = bare.fields[*at];
  if (field.ends_with("%")) field.pop_back(), percent = true;
  const auto value = number(bare, *at);
  return value && percent ? std::optional(*value / 100) : value;
}

std::string ForeignTable::guess() const {
  if (numbers_.guessed().empty()) return {};
  return fmt::format(
      "{}: '{}' is read with a decimal point, but other numbers do not prove it; give --decimal=comma if it is a comma",
      origin_, clean(numbers_.guessed()));
}

void ForeignTable::fail(int line, const std::string& what) const {
  throw FileError(fmt::format("{}:{}: {}", origin_, line, what));
}

}  // namespace roofline
