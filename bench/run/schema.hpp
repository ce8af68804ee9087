#pragma once

namespace roofline {

/// The version of run.json, `schema_version` in its context: raised when a field changes its meaning or goes. Described
/// field by field in tests/data/run.schema.json. Files without the field are of version 1.
inline constexpr int run_schema_version = 1;

}  // namespace roofline
