#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bench/storage/json_fields.hpp"

namespace roofline::stored {

/// Visits fields and keeps what a value of each must be.
class SchemaOf {
 public:
  template <class T>
  void operator()(const char* name, const T& value, const char* meaning) {
    properties_[name] = of(value);
    properties_[name]["description"] = meaning;
  }
  template <class T>
  void must(const char* name, const T& value, const char* meaning) {
    (*this)(name, value, meaning);
    required_.push_back(name);
  }
  template <class Visit>
  void derived(const Visit& visit) {
    visit(*this);
  }

  /// An object with exactly these fields: others are not written.
  Json object() const {
    Json schema = {{"type", "object"}, {"properties", properties_}, {"additionalProperties", false}};
    if (!required_.empty()) schema["required"] = required_;
    return schema;
  }

  template <class T>
  static Json of(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_enum_v<T>) {
      return {{"type", "string"}, {"enum", names_of(value)}};
    } else if constexpr (std::is_floating_point_v<T>) {
      return {{"type", "number"}};
    } else if constexpr (std::is_integral_v<T>) {
      return {{"type", "integer"}};
    } else {
      SchemaOf inside;
      fields(inside, value);
      return inside.object();
    }
  }
  static Json of(const std::string&) { return {{"type", "string"}}; }
  static Json of(const Resource&) { return {{"type", "string"}}; }
  template <class T>
  static Json of(const std::optional<T>&) {
    return of(T());
  }
  template <class T>
  static Json of(const std::vector<T>&) {
    return {{"type", "array"}, {"items", of(T())}};
  }
  template <class T>
  static Json of(const ByLevel<T>&) {
    Json levels = Json::object();
    for (const auto level : all_memory_levels) levels[std::string(name(level))] = of(T());
    return {{"type", "object"}, {"properties", levels}, {"additionalProperties", false}};
  }
  template <class T>
  static Json of(const std::pair<std::string, T>&) {
    // Null stands for an empty text, or a number that was not finite.
    return {{"type", "array"},
            {"prefixItems", {{{"type", "string"}}, {{"anyOf", {of(T()), {{"type", "null"}}}}}}},
            {"minItems", 2},
            {"maxItems", 2}};
  }
  template <class T>
  static Json of(const std::map<std::string, T>&) {
    return {{"type", "object"}, {"additionalProperties", of(T())}};
  }

 private:
  Json properties_ = Json::object();
  std::vector<std::string> required_;
};

}  // namespace roofline::stored
