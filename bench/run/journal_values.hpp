#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/run/row_journal.hpp"

namespace roofline {

// What a line of a journal holds, and back. Reading throws std::exception where a value is missing, of another type or
// out of range.

nlohmann::json to_json(const Counts& counts);
Counts to_counts(const nlohmann::json& j);

/// The raw samples; what follows from them is not stored.
nlohmann::json to_json(const RowJournal::Kernel& kernel);
RowJournal::Kernel to_kernel(const std::string& row, const nlohmann::json& j);

nlohmann::json to_json(const Ceiling& c);
Ceiling to_ceiling(const nlohmann::json& j);

}  // namespace roofline
