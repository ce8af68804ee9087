#include <nlohmann/json.hpp>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::schema_command {
namespace {

Action define(CLI::App& flags) {
  flags.footer("Example: roofline schema > run.schema.json");
  return [] {
    print(run_json_schema().dump(2) + "\n");
    return exit_ok;
  };
}

const Subcommand registered("schema", "the JSON Schema of run.json, with a description of each field", define);

}  // namespace
}  // namespace roofline::cli::schema_command
