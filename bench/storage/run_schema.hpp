#pragma once
#include <nlohmann/json_fwd.hpp>

namespace roofline {

/// JSON Schema (2020-12) of run.json: Google Benchmark's two parts and the block "roofline", each field with its
/// description. It follows from the lists of fields that write and read the block, so that it cannot disagree.
nlohmann::ordered_json run_json_schema();

}  // namespace roofline
