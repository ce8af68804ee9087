#pragma once
#include <charconv>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// A word of tables, plots and names, and what it means.
struct Word {
  std::string_view word, meaning;
};

/// The glossary, in alphabetical order without regard to case.
const std::vector<Word>& words();

/// The text in small letters (of ASCII).
std::string lower_case(std::string text);

/// Without blanks, tabs and line ends around.
std::string_view trimmed(std::string_view text);

/// The number that the whole text is, with a decimal point in any locale; absent if it is none or too large for a T.
template <class T>
std::optional<T> as_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The parts between separators, empty ones too but a last one: "a,,b," has "a", "" and "b".
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

/// ", did you mean NAME?": the candidate nearest to `word`, empty when none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

/// Whether the whole `text` fits a pattern as a shell has them: '*' stands for anything, '/' too.
bool fits(const std::string& pattern, const std::string& text);

/// Where a text fits a regular expression: the whole, then what is in its parentheses, empty where that has no part.
struct Match {
  std::size_t at;
  std::vector<std::string> groups;
};

/// The places where `text` matches an extended regular expression of POSIX, one after the other. Uses C's functions,
/// because every unit with C++'s <regex> takes two seconds longer to compile. Throws std::invalid_argument if the text
/// is not an expression.
std::vector<Match> matches(const std::string& expression, const std::string& text, bool any_case = false);

}  // namespace roofline
