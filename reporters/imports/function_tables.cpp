#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "bench/text/clean.hpp"
#include "bench/text/imports/number_format.hpp"
#include "bench/text/imports/unit.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "reporters/imports/external_ceilings.hpp"

namespace roofline {
namespace {

/// Columns stand two blanks or a tab apart; "Best Rate MB/s" is one. "MiBytes/sec Min (sec)" are two: a wide name
/// leaves one blank.
std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::string column;
  const auto close = [&] {
    if (const auto text = std::string(trimmed(column)); !text.empty()) columns.push_back(text);
    column.clear();
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto next = std::string_view(line).substr(i + 1);
    const bool apart = line[i] == '\t' || (line[i] == ' ' && (next.starts_with(' ') || next.starts_with("Min") ||
                                                              next.starts_with("Max") || next.starts_with("Av")));
    if (apart) close();
    column += line[i] == '\t' ? ' ' : line[i];
  }
  close();
  return columns;
}

std::optional<Unit> rate_in(const std::string& column) {
  const auto unit = unit_in(column, "byte");
  return unit && unit->of == "byte/second" ? unit : std::nullopt;
}

bool is_head(const std::string& line) {
  const auto at = line.find_first_not_of(" \t");
  return at != line.npos && line.compare(at, 8, "Function") == 0 && rate_in(line);
}

struct FunctionRow {
  int line = 0;
  std::vector<std::string> words;
};

/// A table: its head, and the lines below it that have as many numbers.
struct FunctionTable {
  std::vector<std::string> columns;
  std::size_t rate = 0, shortest = 0;  ///< columns; shortest time: 0 where there is none
  double unit = 1;
  double set = 0;  ///< bytes, as the lines above say; 0: they do not
  std::vector<FunctionRow> rows;
  enum class State { open, interrupted, closed } state = State::open;
};

/// The information about arrays in the lines above a table.
class ArraySizes {
 public:
  void see(const std::string& line) {
    auto seen = is_used_ ? ArraySizes() : *this;
    seen.take(line);
    if (seen.elements_ + seen.element_ + seen.total_ + seen.three_ > 0) *this = seen;
  }
  /// Sizes that stand below a table are of another run.
  double use() {
    is_used_ = true;
    return bytes();
  }

 private:
  double bytes() const {
    constexpr double arrays = 3;
    return total_ > 0 ? total_ : elements_ * element_ > 0 ? arrays * elements_ * element_ : three_;
  }

  void take(const std::string& line) {
    const auto after = [&](const char* words) {
      const auto at = line.find(words);
      return at == line.npos ? 0 : std::atof(line.c_str() + at + std::string(words).size());
    };
    if (const double n = std::max(after("Array size = "), after("Number of elements: ")); n > 0) elements_ = n;
    if (const double bytes = after("This system uses "); bytes > 0) element_ = bytes;
    if (line.find("Precision: double") != line.npos) element_ = 8;
    if (line.find("Precision: float") != line.npos) element_ = 4;
    const auto small = lower_case(line);
    if (small.find("size") == small.npos && small.find("memory") == small.npos) return;
    for (const auto& [pattern, arrays] :
         {std::pair("total [^:=]*(size|memory)[^:=]*[:=] *([0-9.]+) *([kmg]i?b|bytes)", 1),
          std::pair("(array) size: *([0-9.]+) *([kmg]i?b|bytes)", 3)})
      for (const auto& found : matches(pattern, small))
        if (const auto unit = unit_named(found.groups[3]))
          (arrays == 1 ? total_ : three_) = arrays * std::atof(found.groups[2].c_str()) * unit->factor;
  }

  double elements_ = 0, element_ = 0, total_ = 0, three_ = 0;
  bool is_used_ = false;
};

FunctionTable table_below(const std::string& head, const std::string& place) {
  FunctionTable table;
  table.columns = columns_of(head);
  for (std::size_t c = table.columns.size(); c-- > 1;) {
    if (const auto unit = rate_in(table.columns[c])) table.rate = c, table.unit = unit->factor;
    if (lower_case(table.columns[c]).starts_with("min")) table.shortest = c;
  }
  if (table.rate == 0) throw FileError(place + ": the columns of the table are not two blanks apart");
  return table;
}

/// The value of a cell; absent where it says that there is none, or 0.
std::optional<double> number(const NumberFormat& format, const std::string& cell) {
  const auto value = format.read(cell);
  return value && *value > 0 ? value : std::nullopt;
}

bool looks_like_number(const std::string& word) {
  return std::isdigit(static_cast<unsigned char>(word[0])) != 0 &&
         word.find_first_not_of("0123456789.,'eE+-") == word.npos;
}
bool is_cell(const std::string& word) {
  return looks_like_number(word) || word.find_first_not_of("-*naNAinf/") == word.npos;
}

/// Takes a line below a head. A blank line or a rule below its rows ends the table; behind other lines a row may be of
/// something else, so it is left out with a word.
void take(FunctionTable& table, const std::string& line, int number, ExternalCeilings& external) {
  std::istringstream parts(line);
  FunctionRow row{number, {}};
  for (std::string word; parts >> word;) row.words.push_back(word);
  using State = FunctionTable::State;
  const auto& words = row.words;
  const bool is_rule = line.find_first_not_of(" \t-=+|") == line.npos;
  if (is_rule) {
    if (!table.rows.empty()) table.state = State::closed;
    return;
  }
  const bool named = words.size() > 1 && std::isalpha(static_cast<unsigned char>(words[0][0])) != 0;
  const bool is_row =
      named && words.size() == table.columns.size() && std::all_of(words.begin() + 1, words.end(), is_cell);
  if (is_row && table.state == State::open) return table.rows.push_back(std::move(row));
  if (!named || !looks_like_number(words[1])) {
    table.state = State::interrupted;
    return;
  }
  if (!is_row && table.state == State::interrupted) return;
  external.warn(number, is_row ? fmt::format("'{}' stands below other lines than rows of its table: left out",
                                             clean(line.substr(0, 60)))
                               : fmt::format("'{}' is not a row of the table above it, which has {} columns: left out",
                                             clean(line.substr(0, 60)), table.columns.size()));
}

/// Bytes that a test moves, from its rate and its shortest time, which is rounded to its last digit.
double moved(double rate, const NumberFormat& format, const std::string& seconds) {
  const auto mark = seconds.find_first_of(".,");
  const double digit = mark == seconds.npos ? 1 : std::pow(10, -static_cast<double>(seconds.size() - mark - 1));
  return rate * (number(format, seconds).value_or(0) + digit / 2);
}

void read(const FunctionTable& table, ExternalCeilings& external, const std::string& origin) {
  NumberFormat format;
  for (const auto& row : table.rows)
    for (std::size_t c = 1; c < row.words.size(); ++c) format.see(row.words[c]);
  for (const auto& row : table.rows) try {
      const auto& cell = row.words[table.rate];
      auto test = row.words[0];
      if (test.ends_with(":")) test.pop_back();
      const auto value = cell.find('*') == cell.npos ? number(format, cell) : std::nullopt;
      if (!value) {
        external.warn(row.line, fmt::format("{}: '{}' is not a rate: left out", clean(test), clean(cell)));
        continue;
      }
      const double rate = table.unit * *value;
      const bool timed = table.shortest > 0 && looks_like_number(row.words[table.shortest]);
      const double set = table.set > 0 || !timed ? table.set : moved(rate, format, row.words[table.shortest]);
      external.bandwidth_of_set(test, rate, set);
    } catch (const std::invalid_argument& why) {
      throw FileError(fmt::format("{}:{}: {}", origin, row.line, why.what()));
    }
}

}  // namespace

bool has_function_table(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (is_head(line)) return true;
  return false;
}

std::vector<Ceiling> parse_function_tables(const std::string& text, const std::string& origin,
                                           OpinionOptions& options) {
  const bool babel = text.find("BabelStream") != text.npos, with_flops = text.find("Rate(MFlop") != text.npos;
  ExternalCeilings external(babel ? "BabelStream" : with_flops ? "TheBandwidthBenchmark" : "STREAM", origin, options);
  ArraySizes sizes;
  std::vector<FunctionTable> tables;
  int number = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (is_head(line)) {
      tables.push_back(table_below(line, fmt::format("{}:{}", origin, number)));
      tables.back().set = sizes.use();
      continue;
    }
    sizes.see(line);
    if (tables.empty() || tables.back().state == FunctionTable::State::closed) continue;
    if (lines.eof()) throw FileError(fmt::format("{}:{}: the last line has no end: cut short?", origin, number));
    take(tables.back(), line, number, external);
  }
  for (const auto& table : tables) read(table, external, origin);
  return external.all();
}

void warn_of_failed_validation(const std::string& text, const std::string& origin, OpinionOptions& options) {
  int number = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto small = lower_case(line);
    const auto any = [&](std::initializer_list<const char*> words) {
      return std::any_of(words.begin(), words.end(), [&](const char* word) { return small.find(word) != small.npos; });
    };
    const bool of_results = any({"valid", "verif", "check", "result", "solution", "correct"});
    const bool is_bad = of_results && any({"fail", "invalid", "incorrect", "wrong", "mismatch", "not valid",
                                           "not correct", "not pass", "unsuccess"});
    const bool may_be_bad = (of_results && any({"not ", "n't ", "differ", "error:", "toleran", "epsilon"})) ||
                            small.starts_with("error") || small.starts_with("fail") ||
                            (any({"expected"}) && any({"got", "found"}));
    const bool is_good =
        any({"validates", "no fail", "no error"}) || !matches("(^|[^0-9])0 (fail|error)", small).empty();
    if ((is_bad || may_be_bad) && !is_good)
      options.warnings.push_back(fmt::format("{}:{}: its own validation {}failed: {}", origin, number,
                                             is_bad ? "" : "may have ", clean(line.substr(0, 80))));
  }
}

}  // namespace roofline
