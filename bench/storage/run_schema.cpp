#include "bench/storage/run_schema.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/storage/json_schema.hpp"
#include "bench/storage/run_fields.hpp"
#include "bench/storage/stored_run.hpp"

namespace roofline {
namespace stored {
namespace {

/// The block "roofline".
Json block() {
  auto schema = SchemaOf::of(Results());
  schema["description"] = "everything that a report needs";
  schema["properties"]["schema"] = {{"const", run_schema}, {"description", "version of this block"}};
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
           {{"context", {{"type", "object"}, {"description", "Google Benchmark's, and who ran this where"}}},
            {"benchmarks", stored::benchmarks()},
            {"roofline", stored::block()}}},
          {"required", {"context", "benchmarks", "roofline"}}};
}

}  // namespace roofline
