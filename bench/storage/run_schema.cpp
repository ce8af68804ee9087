#include "bench/storage/run_schema.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/storage/json_fields.hpp"
#include "bench/storage/run_fields.hpp"
#include "bench/storage/stored_run.hpp"

namespace roofline {
namespace stored {
namespace {

/// Visits fields and keeps what a value of each must be.
class SchemaOf {
 public:
  template <class T>
  void operator()(const char* name, T& value, const char* meaning) {
    auto schema = of(value);
    schema["description"] = meaning;
    properties_[name] = std::move(schema);
  }
  template <class T>
  void must(const char* name, T& value, const char* meaning) {
    (*this)(name, value, meaning);
    required_.push_back(name);
  }

  /// An object with these fields and no other: what is not described is not written.
  Json object() const {
    Json schema = {{"type", "object"}, {"properties", properties_}, {"additionalProperties", false}};
    if (!required_.empty()) schema["required"] = required_;
    return schema;
  }

  template <class T>
  static Json of(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_enum_v<T>) {
      return {{"enum", names_of(value)}};
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
  static Json of(std::string&) { return {{"type", "string"}}; }
  static Json of(Resource&) { return {{"type", "string"}}; }
  template <class T>
  static Json of(std::optional<T>&) {
    return of_empty<T>();
  }
  template <class T>
  static Json of(std::vector<T>&) {
    return {{"type", "array"}, {"items", of_empty<T>()}};
  }
  template <class T>
  static Json of(ByLevel<T>&) {
    Json levels = Json::object();
    for (const auto level : all_memory_levels) levels[std::string(name(level))] = of_empty<T>();
    return {{"type", "object"}, {"properties", levels}, {"additionalProperties", false}};
  }
  template <class T>
  static Json of(std::pair<std::string, T>&) {
    // Null: an empty text, or a number that was none.
    return {{"type", "array"},
            {"prefixItems", {{{"type", "string"}}, {{"anyOf", {of_empty<T>(), {{"type", "null"}}}}}}},
            {"minItems", 2},
            {"maxItems", 2}};
  }
  static Json of(std::map<std::string, double>&) {
    return {{"type", "object"}, {"additionalProperties", {{"type", "number"}}}};
  }

 private:
  template <class T>
  static Json of_empty() {
    T empty{};
    return of(empty);
  }

  Json properties_ = Json::object();
  std::vector<std::string> required_;
};

/// The block "roofline".
Json block() {
  SchemaOf run, ceiling, point;
  Results results;
  Ceiling one_ceiling;
  KernelPoint one_point;
  Assessment assessment;
  fields(run, results), fields(ceiling, one_ceiling), fields(point, one_point), fields(point, assessment);
  auto schema = run.object();
  schema["description"] = "everything that a report needs";
  auto& properties = schema["properties"];
  properties["schema"] = {{"const", run_schema}, {"description", "version of this block"}};
  properties["threads"] = {{"type", "integer"},
                           {"description", "of the roofs: only kernels with as many are compared with them"}};
  properties["ceilings"] = {
      {"type", "array"}, {"items", ceiling.object()}, {"description", "every ceiling of the run, roofs and others"}};
  properties["points"] = {
      {"type", "array"}, {"items", point.object()}, {"description", "every kernel that has a result"}};
  schema["required"] = {"schema"};
  return schema;
}

/// What readers of Google Benchmark's JSON see: its own fields, and counters as numbers.
Json benchmarks() {
  const auto field = [](const char* type, const char* meaning) {
    return Json{{"type", type}, {"description", meaning}};
  };
  const auto choice = [](std::vector<std::string> values, const char* meaning) {
    return Json{{"enum", std::move(values)}, {"description", meaning}};
  };
  Json row = {{"type", "object"},
              {"properties",
               {{"name", field("string", "of the row: FAMILY/PARAMETER:VALUE/..., a ceiling's begins with ceiling/")},
                {"run_type", choice({"iteration", "aggregate"}, "a measurement, or a statistic over repetitions")},
                {"real_time", field("number", "wall-clock time of a launch, in time_unit")},
                {"cpu_time", field("number", "processor time of a launch, in time_unit")},
                {"time_unit", choice({"ns", "us", "ms", "s"}, "of real_time and cpu_time")},
                {"label", field("string", "what the counters cannot say: sources, notes, the variant that won")},
                {"error_occurred", field("boolean", "whether the row has no result because it failed")},
                {"error_message", field("string", "why it failed")},
                {"skipped", field("boolean", "whether the row was left out")},
                {"skip_message", field("string", "why it was left out")}}},
              {"required", {"name"}},
              {"additionalProperties", {{"type", {"number", "string", "boolean"}}}}};
  return {{"type", "array"},
          {"items", row},
          {"description",
           "rows as Google Benchmark writes them; counters (FLOP/s, B/s, flops, bytes_DRAM, AI_DRAM, "
           "efficiency, ...) are plain numbers, not finite ones are left out"}};
}

}  // namespace
}  // namespace stored

nlohmann::ordered_json run_json_schema() {
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "run.json of roofline_bench"},
          {"type", "object"},
          {"properties",
           {{"context",
             {{"type", "object"},
              {"description", "Google Benchmark's context, the machine, warnings, failures, checks and the verdict"}}},
            {"benchmarks", stored::benchmarks()},
            {"roofline", stored::block()}}},
          {"required", {"context", "benchmarks", "roofline"}}};
}

}  // namespace roofline
