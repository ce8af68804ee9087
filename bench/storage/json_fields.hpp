#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/counters/metrics.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/result/results.hpp"

/// Visitors of field lists, as those in result_fields.hpp and run_fields.hpp: to JSON and from JSON.
namespace roofline::stored {

using Json = nlohmann::ordered_json;

/// Names of an enumeration, in the order of its values.
inline std::vector<std::string_view> names_of(MemoryLevel) { return {"L1", "L2", "L3", "DRAM", "shared", "sysmem"}; }
inline std::vector<std::string_view> names_of(Source) {
  return {"analytic", "software", "modelled", "hardware", "imported", "emulated"};
}
inline std::vector<std::string_view> names_of(FlopAccount) { return {"canonical", "counted", "expanded"}; }
inline std::vector<std::string_view> names_in(const auto& facts) {
  std::vector<std::string_view> names;
  for (const auto& of : facts) names.push_back(of.name);
  return names;
}
inline std::vector<std::string_view> names_of(Operation) { return {operation_names.begin(), operation_names.end()}; }
inline std::vector<std::string_view> names_of(Mix) { return names_in(mixes); }
inline std::vector<std::string_view> names_of(CeilingsOrigin::Kind) {
  return {"none", "measured", "imported", "described"};
}
inline std::vector<std::string_view> names_of(SanityCheck::Verdict) { return {"ok", "warn", "fail", "not applicable"}; }
inline std::vector<std::string_view> names_of(StorePolicy::Outcome) { return {"unknown", "allocates", "evades"}; }
inline std::vector<std::string_view> names_of(Ceiling::Kind) { return names_in(ceiling_kinds); }
inline std::vector<std::string_view> names_of(perf::CpuQuantity) {
  return {perf::cpu_quantity_names.begin(), perf::cpu_quantity_names.end()};
}
inline std::vector<std::string_view> names_of(Quantity) {
  std::vector<std::string_view> names;
  for (const auto& metric : metrics()) {
    const auto at = static_cast<std::size_t>(metric.quantity);
    names.resize(std::max(names.size(), at + 1));
    names[at] = metric.names.front();
  }
  return names;
}

/// Values of every kind that fields have, by memory level.
template <class T>
using ByLevel = std::array<std::optional<T>, all_memory_levels.size()>;

/// Writes fields; unknown, empty and non-finite values are left out.
class Writer {
 public:
  template <class T>
  void operator()(const char* name, const T& value, const char*) {
    if (Json json = write(value); !json.empty() && json != "") object_[name] = std::move(json);
  }
  template <class T>
  void must(const char* name, const T& value, const char*) {
    object_[name] = write(value);
  }
  template <class Visit>
  void derived(const Visit& visit) {
    visit(*this);
  }

  template <class T>
  static Json write(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return names_of(value).at(static_cast<std::size_t>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::isfinite(value) ? Json(value) : Json();
    } else if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else {
      Writer writer;
      fields(writer, value);
      return std::move(writer.object_);
    }
  }
  static Json write(const Resource& resource) { return name(resource); }
  static Json write(const std::string& text) { return text; }
  template <class T>
  static Json write(const std::optional<T>& value) {
    return value ? write(*value) : Json();
  }
  template <class T>
  static Json write(const std::vector<T>& list) {
    Json array = Json::array();
    for (const auto& element : list) array.push_back(write(element));
    return array;
  }
  template <class T>
  static Json write(const ByLevel<T>& values) {
    Json object = Json::object();
    for (const auto level : all_memory_levels)
      if (const auto& value = values[static_cast<std::size_t>(level)]) object[std::string(name(level))] = write(*value);
    return object;
  }
  template <class T>
  static Json write(const std::pair<std::string, T>& pair) {
    return Json::array({pair.first, write(pair.second)});
  }
  template <class T>
  static Json write(const std::map<std::string, T>& values) {
    Writer writer;
    for (const auto& [key, value] : values) writer(key.c_str(), value, "");
    return std::move(writer.object_);
  }

 private:
  Json object_ = Json::object();
};

/// Something in a file that is not what it must be: the place and the reason.
struct BadField : std::runtime_error {
  BadField(const std::string& pointer, const std::string& what)
      : std::runtime_error((pointer.empty() ? "/" : pointer) + ": " + what) {}
};

/// Reads fields from an object. Unknown keys are ignored, absent fields keep their defaults. Throws BadField.
class Reader {
 public:
  Reader(const Json& object, std::string pointer) : object_(object), pointer_(std::move(pointer)) {
    if (!object.is_object()) throw BadField(pointer_, "an object is expected");
  }

  template <class T>
  void operator()(const char* name, T& value, const char*) {
    const auto found = find(name);
    if (found != object_.end() && !found->is_null()) read(*found, pointer_ + "/" + name, value);
  }
  template <class T>
  void must(const char* name, T& value, const char* meaning) {
    const auto found = find(name);
    if (found == object_.end() || found->is_null())
      throw BadField(pointer_ + "/" + name, std::string("is missing: ") + meaning);
    read(*found, pointer_ + "/" + name, value);
  }
  /// Fields that follow from others are computed again.
  template <class Visit>
  void derived(const Visit&) {}

  template <class T>
  static void read(const Json& json, const std::string& at, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      if (!json.is_boolean()) throw BadField(at, "true or false is expected");
      value = json.get<bool>();
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(index_of(json, at, names_of(value)));
    } else if constexpr (std::is_floating_point_v<T>) {
      if (!json.is_number()) throw BadField(at, "a number is expected");
      value = json.get<T>();
    } else if constexpr (std::is_integral_v<T>) {
      value = integer<T>(json, at);
    } else {
      Reader reader(json, at);
      fields(reader, value);
    }
  }
  static void read(const Json& json, const std::string& at, std::string& text) {
    if (!json.is_string()) throw BadField(at, "a string is expected");
    text = json.get<std::string>();
  }
  static void read(const Json& json, const std::string& at, Resource& resource) {
    std::string text;
    read(json, at, text);
    const auto known = resource_of(text == "DRAM lone lines" ? "DRAM unpaired lines" : text);  // its older name
    if (!known) throw BadField(at, "a memory level or a compute ceiling is expected");
    resource = *known;
  }
  template <class T>
  static void read(const Json& json, const std::string& at, std::optional<T>& value) {
    read(json, at, value.emplace());
  }
  template <class T>
  static void read(const Json& json, const std::string& at, std::vector<T>& list) {
    if (!json.is_array()) throw BadField(at, "an array is expected");
    list.clear();
    for (const auto& element : json) {
      T value{};
      read(element, at + "/" + std::to_string(list.size()), value);
      list.push_back(std::move(value));
    }
  }
  template <class T>
  static void read(const Json& json, const std::string& at, ByLevel<T>& values) {
    if (!json.is_object()) throw BadField(at, "an object with the names of memory levels is expected");
    for (const auto level : all_memory_levels)
      if (const auto found = json.find(std::string(name(level))); found != json.end())
        read(*found, at + "/" + std::string(name(level)), values[static_cast<std::size_t>(level)]);
  }
  template <class T>
  static void read(const Json& json, const std::string& at, std::pair<std::string, T>& pair) {
    if (!json.is_array() || json.size() != 2) throw BadField(at, "an array of two is expected");
    read(json[0], at + "/0", pair.first);
    if (json[1].is_null()) return;  // an empty text, or a number that was not finite
    read(json[1], at + "/1", pair.second);
  }
  template <class T>
  static void read(const Json& json, const std::string& at, std::map<std::string, T>& values) {
    if (!json.is_object()) throw BadField(at, "an object is expected");
    for (const auto& [key, value] : json.items()) read(value, at + "/" + key, values[key]);
  }

 private:
  /// A field by its name, or by the one that it had in older files.
  Json::const_iterator find(std::string_view name) const {
    constexpr std::pair<std::string_view, std::string_view> older[] = {
        {"unpaired", "lone"}, {"counted", "beside"},   {"in_core", "in_caches"}, {"in_core_share", "in_caches_share"},
        {"tuning", "form"},   {"skipped", "left_out"}, {"external", "opinion"}};
    auto found = object_.find(std::string(name));
    for (const auto& [now, then] : older)
      if (found == object_.end() && name == now) found = object_.find(std::string(then));
    return found;
  }
  template <class T>
  static T integer(const Json& json, const std::string& at) {
    if (!json.is_number_integer()) throw BadField(at, "an integer is expected");
    const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                : std::in_range<T>(json.get<std::int64_t>());
    if (!fits) throw BadField(at, "the integer is out of range");
    return json.get<T>();
  }
  static std::size_t index_of(const Json& json, const std::string& at, const std::vector<std::string_view>& names) {
    if (json.is_string()) {
      std::string_view text = json.get_ref<const std::string&>();
      if (text == "executed(virtual)") text = "emulated";  // its name in older files
      const auto found = std::find(names.begin(), names.end(), text);
      if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    }
    std::string known;
    for (const auto name : names)
      if (known.size() < 60) known += (known.empty() ? "" : ", ") + std::string(name);
    throw BadField(at, "one of these is expected: " + known);
  }

  const Json& object_;
  const std::string pointer_;
};

}  // namespace roofline::stored
