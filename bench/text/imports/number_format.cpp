#include "bench/text/imports/number_format.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "bench/text/clean.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

constexpr std::array<std::string_view, 12> no_number{"",    "-",    "n/a",  "N/A", "nan", "-nan",
                                                     "NaN", "-NaN", "null", "nil", "inf", "#N/A"};

/// Digits in groups, what separates them, and the rest: "1.234,5e3" is {1,234,5} {.,} e3. Spaces (no-break and thin
/// ones too) are ' ', apostrophes '\''.
struct Shape {
  std::vector<std::string> groups{""};
  std::string separators, exponent;
  bool is_number = true;

  explicit Shape(std::string_view cell) {
    using namespace std::string_view_literals;
    static constexpr std::array spaces{" "sv, "\u00a0"sv, "\u202f"sv, "\u2009"sv, "\u2007"sv};
    static constexpr std::array apostrophes{"'"sv, "\u2019"sv};
    const auto take = [&](const auto& list, char sign) {
      for (const auto one : list)
        if (cell.starts_with(one))
          return cell.remove_prefix(one.size()), separators += sign, groups.emplace_back(), true;
      return false;
    };
    while (!cell.empty()) {
      const char c = cell[0];
      if (c >= '0' && c <= '9') {
        groups.back() += c, cell.remove_prefix(1);
      } else if (c == '.' || c == ',') {
        separators += c, groups.emplace_back(), cell.remove_prefix(1);
      } else if (!take(spaces, ' ') && !take(apostrophes, '\'')) {
        break;
      }
    }
    if (!cell.empty() && (cell[0] == 'e' || cell[0] == 'E')) {
      exponent = "e", cell.remove_prefix(1);
      if (!cell.empty() && (cell[0] == '+' || cell[0] == '-'))
        exponent += cell[0] == '-' ? "-" : "", cell.remove_prefix(1);
      const auto digits = cell.substr(0, cell.find_first_not_of("0123456789"));
      is_number = !digits.empty();
      exponent += digits, cell.remove_prefix(digits.size());
    }
    is_number = is_number && cell.empty() && !groups[0].empty() && !groups.back().empty();
  }

  /// Points and commas only.
  std::string marks() const {
    std::string marks;
    for (const char c : separators)
      if (c == '.' || c == ',') marks += c;
    return marks;
  }
  /// One point or comma that could be either: "9.216".
  bool is_unclear() const {
    return separators.size() == 1 && marks().size() == 1 && exponent.empty() && groups[1].size() == 3 &&
           groups[0].size() <= 3 && groups[0][0] != '0';
  }
};

char other(char mark) { return mark == '.' ? ',' : '.'; }

}  // namespace

void NumberFormat::see(std::string_view cell, bool whole) {
  cell = trimmed(cell);
  const Shape shape(cell);
  const auto marks = shape.marks();
  if (!shape.is_number || marks.empty()) return;
  if (shape.is_unclear()) {
    if (whole) (marks[0] == '.' ? whole_comma_ : whole_point_) = cell;
    if (!whole) unclear_ = cell;
    return;
  }
  const bool grouped = marks.size() > 1 && marks.find_first_not_of(marks[0]) == marks.npos;
  ((grouped ? other(marks[0]) : marks.back()) == '.' ? point_ : comma_) = cell;
}

char NumberFormat::decimal() const {
  if (given_ != 0) return given_;
  const auto choose = [](const std::string& point, const std::string& comma) {
    if (!point.empty() && !comma.empty())
      throw std::invalid_argument(fmt::format(
          "'{}' and '{}' are numbers of two languages (run the tool with LC_ALL=C; or --decimal=point or comma)",
          clean(point), clean(comma)));
    return !comma.empty() ? ',' : !point.empty() ? '.' : '\0';
  };
  if (const char proven = choose(point_, comma_)) return proven;
  return choose(whole_point_, whole_comma_);
}

std::string NumberFormat::guessed() const { return decimal() == 0 ? unclear_ : std::string(); }

std::optional<double> NumberFormat::read(std::string_view cell, bool whole) const {
  cell = trimmed(cell);
  for (const auto word : no_number)
    if (cell == word) return std::nullopt;
  if (cell.starts_with("<not ")) return std::nullopt;
  const auto refuse = [&](const char* why) {
    throw std::invalid_argument(fmt::format("'{}' {}", clean(cell.substr(0, 40)), why));
  };
  if (cell.starts_with("-") && Shape(cell.substr(1)).is_number) {
    if (cell.find_first_of("123456789") == cell.npos) return 0.0;
    refuse("is not a count or rate: it is below zero");
  }
  if (cell.starts_with("+")) cell.remove_prefix(1);
  const Shape shape(cell);
  if (!shape.is_number) throw NoNumber(fmt::format("'{}' is not a number", clean(cell.substr(0, 40))));
  const char known = decimal(), point = known == 0 ? '.' : known;
  if (known == 0 && shape.is_unclear() && shape.separators[0] == ',')
    refuse("may be a thousand times more or less (a comma between thousands, or a decimal one): --decimal says which");
  if (whole && shape.is_unclear() && shape.separators[0] == point)
    refuse("is not a count: it has a fraction, or its thousands are separated as nowhere else here");
  std::string digits = shape.groups[0];
  char grouping = 0;
  for (std::size_t i = 0; i < shape.separators.size(); ++i) {
    const char mark = shape.separators[i];
    const bool last = i + 1 == shape.separators.size();
    if (last && mark == point) {
      digits += '.';
    } else {
      if ((grouping != 0 && mark != grouping) || mark == point || shape.groups[i].size() > 3 ||
          shape.groups[i + 1].size() != 3)
        refuse(point == '.' ? "is not a number with a decimal point, as the others here are"
                            : "is not a number with a decimal comma, as the others here are");
      grouping = mark;
    }
    digits += shape.groups[i + 1];
  }
  digits += shape.exponent;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value > 1e300) refuse("is out of range");
  return value;
}

}  // namespace roofline
