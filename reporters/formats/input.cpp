#include "reporters/formats/input.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/run/conclude.hpp"
#include "bench/run/stored_run.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/formats/data_txt.hpp"
#include "reporters/formats/ert_json.hpp"
#include "reporters/formats/google_json.hpp"
#include "reporters/formats/imported.hpp"
#include "reporters/formats/run_csv.hpp"

namespace roofline {
namespace {

MemoryLevel level_of(const std::string& word) {
  for (const auto level : all_memory_levels)
    if (name(level) == word) return level;
  throw std::invalid_argument(fmt::format("'{}' is no memory level: L1, L2, L3, DRAM, shared, sysmem", word));
}

/// Gives the bandwidths, near to far, the names that the user knows.
void rename_levels(Results& results, const std::vector<std::string>& names) {
  auto ceilings = results.roofline.ceilings();
  std::size_t next = 0;
  for (auto& ceiling : ceilings) {
    if (ceiling.kind != Ceiling::Kind::bandwidth) continue;
    if (next == names.size()) throw std::invalid_argument("--levels: the file has more levels than names are given");
    ceiling = imported_bandwidth(level_of(names[next]), names[next], ceiling.rate, ceiling.variant);
    ++next;
  }
  if (next != names.size()) throw std::invalid_argument("--levels: the file has fewer levels than names are given");
  results.warnings.clear();
  results.roofline = Roofline(std::move(ceilings), results.roofline.threads());
  conclude(results);
}

}  // namespace

Results parse_input(const std::string& text, const std::string& origin, const InputOptions& options) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) throw FileError(origin + ": is empty");
  if (text[begin] != '{' && text[begin] != '[') {
    if (text.compare(begin, 5, "name,") == 0) return parse_run_csv(text, origin);
    return parse_data_txt(text, origin);
  }
  const auto document = parse_json(strict_json(text), origin);
  const auto has = [&](const char* key) { return document.is_object() && document.contains(key); };
  if (has("roofline")) return parse_run(text, origin);
  if (has("empirical")) {
    auto results = parse_ert_json(text, origin);
    if (!options.levels.empty()) rename_levels(results, options.levels);
    return results;
  }
  if (has("benchmarks")) {
    if (options.flops.empty() || options.bytes.empty())
      throw std::invalid_argument(origin +
                                  ": results of Google Benchmark; --flops=COUNTER and --bytes=COUNTER say "
                                  "which of its counters they are");
    return parse_google_json(text, origin,
                             {options.flops, options.bytes, level_of(options.level), options.per_iteration});
  }
  throw FileError(origin +
                  ": no format that is known: neither a run.json, nor ERT's roofline.json, data.txt, "
                  "efficiency.csv, or Google Benchmark's JSON");
}

Results read_input(const std::filesystem::path& path, const InputOptions& options) {
  return parse_input(read_file(path), path.string(), options);
}

}  // namespace roofline
