#include "bench/text/parse_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/text/output.hpp"

namespace roofline {
namespace {

/// No run of any machine is as large; nothing that anybody wrote by hand is nested as deep.
constexpr std::size_t largest_file = 512u << 20;
constexpr int deepest = 200;

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text, const std::string& origin) {
  using Json = nlohmann::ordered_json;
  if (text.size() > largest_file) throw FileError(fmt::format("{}: {} MiB are too many", origin, text.size() >> 20));
  const auto limit = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > deepest) throw FileError(fmt::format("{}: nested deeper than {} levels", origin, deepest));
    return true;
  };
  try {
    return Json::parse(text, limit);
  } catch (const Json::parse_error& error) {
    const auto before = text.substr(0, error.byte > 0 ? error.byte - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    throw FileError(fmt::format("{}:{}:{}: not JSON, or cut short", origin, line, column));
  } catch (const Json::exception& error) {  // a number that no double holds
    throw FileError(fmt::format("{}: {}", origin, error.what()));
  }
}

std::string strict_json(std::string_view text) {
  static constexpr std::string_view words[] = {"-Infinity", "Infinity", "-NaN", "NaN", "-nan", "nan", "-inf", "inf"};
  std::string strict;
  strict.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\' && i + 1 < text.size()) {
      strict += c, strict += text[++i];
      continue;
    }
    if (c == '"') in_string = !in_string;
    const auto* const word = in_string ? std::end(words)
                                       : std::find_if(std::begin(words), std::end(words),
                                                      [&](auto w) { return text.substr(i, w.size()) == w; });
    if (word == std::end(words))
      strict += c;
    else
      strict += "null", i += word->size() - 1;
  }
  return strict;
}

}  // namespace roofline
