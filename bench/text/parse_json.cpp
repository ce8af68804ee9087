#include "bench/text/parse_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

/// No run of any machine is as large; nothing that anybody wrote by hand is nested as deep.
constexpr std::size_t largest_file = 512u << 20;
constexpr int deepest = 200;

/// RFC 6901: ~ and / are escaped.
std::string escaped_key(const std::string& key) {
  std::string result;
  for (const char c : key) result += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return result;
}

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

void JsonReader::fail(const std::string& why) const {
  throw FileError(fmt::format("{}: {}: {}", file_, pointer_.empty() ? "the document" : pointer_, why));
}

JsonReader JsonReader::at(const std::string& key) const {
  if (!value_.is_object()) fail("is not an object");
  const auto found = value_.find(key);
  JsonReader inner(found == value_.end() ? value_ : *found, file_, pointer_ + "/" + escaped_key(key));
  if (found == value_.end()) inner.fail("is missing");
  return inner;
}

std::size_t JsonReader::size() const {
  if (!value_.is_array()) fail("is not a list");
  return value_.size();
}

JsonReader JsonReader::at(std::size_t index) const {
  return {value_.at(index), file_, fmt::format("{}/{}", pointer_, index)};
}

std::string JsonReader::text() const {
  if (!value_.is_string()) fail("is not a text");
  return clean(value_.get_ref<const std::string&>());
}

double JsonReader::number() const {
  if (!value_.is_number() || !std::isfinite(value_.get<double>())) fail("is not a number");
  return value_.get<double>();
}

bool JsonReader::truth() const {
  if (!value_.is_boolean()) fail("is neither true nor false");
  return value_.get<bool>();
}

std::optional<std::string> JsonReader::text(const std::string& key) const {
  return has(key) ? std::optional(at(key).text()) : std::nullopt;
}
std::optional<double> JsonReader::number(const std::string& key) const {
  // The suite itself writes null for what is not finite.
  return has(key) && !value_.at(key).is_null() ? std::optional(at(key).number()) : std::nullopt;
}
std::optional<bool> JsonReader::truth(const std::string& key) const {
  return has(key) ? std::optional(at(key).truth()) : std::nullopt;
}

}  // namespace roofline
