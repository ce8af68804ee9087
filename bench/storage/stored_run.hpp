#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

/// Version of the block "roofline" of run.json, its field `schema`: raised when a field changes its meaning or goes.
inline constexpr int run_schema = 3;  ///< files of versions 1 and 2 are read, too

/// Everything a report needs, as the block "roofline" of run.json. What is unknown is absent.
nlohmann::ordered_json stored_run(const Results& results);

/// The results that stored_run() wrote, in the text of a run.json. `origin` names it in errors. Throws FileError: one
/// line with the origin, the place (a JSON pointer, or line and column) and the reason. They come assessed.
Results parse_run(std::string_view text, const std::string& origin);
/// The same of a document that is parsed already.
Results run_of(const nlohmann::ordered_json& document, const std::string& origin);

/// The same from a file.
Results read_run(const std::filesystem::path& path);

/// One field of the block: its JSON pointer ("/points/*/time/median") and what it means.
struct StoredField {
  std::string pointer, meaning;
};
/// Every field that a file may have, in the order in which it is written.
std::vector<StoredField> stored_fields();

}  // namespace roofline
