#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "bench/result/results.hpp"

namespace roofline {

/// Version of the block "roofline" of run.json, its field `schema`: raised when a field changes its meaning or goes.
inline constexpr int run_schema = 5;  ///< files of versions 1 to 4 are read, too

/// Everything a report needs, as the block "roofline" of run.json. Unknown values are absent.
nlohmann::ordered_json stored_run(const Results& results);

/// run.json: Google Benchmark's document as google_json() gives it (empty: no rows), with more of a context, and that
/// block. The results have been assessed, or are judged now.
std::string run_json(const std::string& google_benchmark, const Results& results,
                     const std::map<std::string, std::string>& context = {});

/// JSON Schema (2020-12) of run.json: Google Benchmark's two parts and the block "roofline", each field with its
/// description. It follows from the lists of fields that write and read the block, so that it cannot disagree.
nlohmann::ordered_json run_json_schema();

/// The results that stored_run() wrote, in the text of a run.json. `origin` names it in errors. Throws FileError: one
/// line with the origin, the place (a JSON pointer, or line and column) and the reason. They come assessed.
Results parse_run(std::string_view text, const std::string& origin);
/// The same of a document that is parsed already.
Results run_of(const nlohmann::ordered_json& document, const std::string& origin);

/// The run.json of a folder where the path names one; else the path itself. Throws FileError where the folder has none.
std::filesystem::path run_file(const std::filesystem::path& path);

/// The same from a file, or from the run.json of a folder.
Results read_run(const std::filesystem::path& path);

}  // namespace roofline
