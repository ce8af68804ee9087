#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace roofline {

/// JSON of a file that somebody else may have written. Throws FileError: one line with origin, line and column.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& origin);

/// The same text with null for NaN and infinities, which Google Benchmark writes bare.
std::string strict_json(std::string_view text);

/// A value within a JSON file that knows where it stands: every complaint names the file and the JSON pointer.
class JsonReader {
 public:
  /// Both must outlive it.
  JsonReader(const nlohmann::ordered_json& value, const std::string& file, std::string pointer = {})
      : value_(value), file_(file), pointer_(std::move(pointer)) {}

  /// Throws FileError.
  [[noreturn]] void fail(const std::string& why) const;

  bool has(const std::string& key) const { return value_.is_object() && value_.contains(key); }
  JsonReader at(const std::string& key) const;  ///< of an object; FileError if it is not an object or lacks the key
  /// Elements of an array; FileError if it is not an array.
  std::size_t size() const;
  JsonReader at(std::size_t index) const;

  std::string text() const;  ///< cleaned for terminals
  double number() const;     ///< finite
  bool truth() const;

  /// The same of a key that may be absent; one of the wrong type is an error all the same.
  std::optional<std::string> text(const std::string& key) const;
  std::optional<double> number(const std::string& key) const;
  std::optional<bool> truth(const std::string& key) const;

 private:
  const nlohmann::ordered_json& value_;
  const std::string& file_;
  std::string pointer_;
};

}  // namespace roofline
