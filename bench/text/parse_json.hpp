#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// JSON of a file that somebody else may have written. Throws FileError: one line with origin, line and column.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& origin);

/// The same text with null for NaN and infinities, which Google Benchmark writes bare.
std::string strict_json(std::string_view text);

}  // namespace roofline
