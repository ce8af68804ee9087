#include <nlohmann/json.hpp>
#include <string>

#include "bench/storage/json_schema.hpp"
#include "bench/storage/row_columns.hpp"
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

/// Google Benchmark's JSON as its readers see it: its own fields, and counters as numbers.
Json benchmarks() {
  SchemaOf fields;
  const std::string text;
  fields.must("name", text, "name of the row: FAMILY/PARAMETER:VALUE/...; a ceiling's begins with ceiling/");
  fields("run_type", text, "a measurement, or a statistic over repetitions");
  fields("real_time", 0.0, "wall-clock time of a launch, in time_unit");
  fields("cpu_time", 0.0, "processor time of a launch, in time_unit");
  fields("time_unit", text, "unit of real_time and cpu_time");
  fields("label", text, "facts that counters cannot hold: sources, notes, the fastest variant");
  fields("error_occurred", false, "whether the row has no result because it failed");
  fields("error_message", text, "why it failed");
  fields("skipped", false, "whether the row was left out");
  fields("skip_message", text, "why it was left out");
  auto row = fields.object();
  row["properties"]["run_type"]["enum"] = {"iteration", "aggregate"};
  row["properties"]["time_unit"]["enum"] = {"ns", "us", "ms", "s"};
  each_number(KernelPoint(), [&](const RowColumn& column, double) {
    const std::string name = column.counter ? column.counter : column.name, unit = column.unit;
    if (name.empty()) return;
    const auto meaning = column.meaning + (unit.empty() ? "" : ", in " + unit);
    row["properties"][name] = {{"type", "number"}, {"description", meaning}};
  });
  row["additionalProperties"] = {{"type", {"number", "string", "boolean"}}};
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
