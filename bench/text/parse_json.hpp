#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// JSON of a file that somebody else may have written. Throws FileError: one line with origin, line and column.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& origin);

}  // namespace roofline
