#pragma once
#include <string_view>
#include <utility>
#include <vector>

namespace roofline::claims {

/// The files of this folder that are part of the program: sections of claims by name, and published.json.
const std::vector<std::pair<std::string_view, std::string_view>>& claim_files();
std::string_view published_file();
std::string_view case_studies_file();

}  // namespace roofline::claims
