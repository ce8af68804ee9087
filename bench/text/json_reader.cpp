#include "bench/text/json_reader.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

constexpr int deepest = 200;

/// Depth of the nesting outside of strings: the parser's own limit is the stack.
bool too_deep(const std::string& text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) {
      i += c == '\\';
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > deepest) return true;
  }
  return false;
}

/// RFC 6901: ~ and / are escaped.
std::string escaped(const std::string& key) {
  std::string result;
  for (const char c : key) result += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return result;
}

}  // namespace

nlohmann::json parse_json(const std::string& text, const std::string& file) {
  if (too_deep(text)) throw FileError(fmt::format("{}: more than {} levels of nesting", file, deepest));
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw FileError(fmt::format("{}: not JSON (byte {})", file, error.byte));
  } catch (const nlohmann::json::exception& error) {
    throw FileError(fmt::format("{}: not JSON ({})", file, error.what()));
  }
}

void JsonReader::fail(const std::string& why) const {
  throw FileError(fmt::format("{}: {}: {}", file_, pointer_.empty() ? "the document" : pointer_, why));
}

JsonReader JsonReader::at(const std::string& key) const {
  if (!value_.is_object()) fail("is not an object");
  const auto found = value_.find(key);
  JsonReader inner(found == value_.end() ? value_ : *found, file_, pointer_ + "/" + escaped(key));
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
