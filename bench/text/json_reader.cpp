#include "bench/text/json_reader.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

/// RFC 6901: ~ and / are escaped.
std::string escaped_key(const std::string& key) {
  std::string result;
  for (const char c : key) result += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return result;
}

}  // namespace

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
