#include "reporters/imports/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "bench/result/results.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/files/files.hpp"
#include "reporters/imports/profilers.hpp"

namespace roofline {
namespace {

MemoryLevel known_level(const std::string& word) {
  if (const auto level = level_of(word)) return *level;
  for (const auto* const memory : {"HBM", "MCDRAM", "DDR", "GDDR"})
    if (word == memory) return MemoryLevel::DRAM;
  throw std::invalid_argument(
      fmt::format("'{}' is not a memory level: L1, L2, L3, DRAM (or HBM), shared, sysmem", word));
}

/// Gives the bandwidths, near to far, the names that the user knows.
void rename_levels(Results& results, const std::vector<std::string>& names) {
  auto ceilings = results.roofline.ceilings();
  std::size_t next = 0;
  for (auto& ceiling : ceilings) {
    if (ceiling.kind != Ceiling::Kind::bandwidth) continue;
    if (next == names.size()) throw std::invalid_argument("--levels: the file has more levels than names are given");
    const auto theory = ceiling.theory;
    ceiling = imported_bandwidth(known_level(names[next]), names[next], ceiling.rate, ceiling.variant);
    ceiling.theory = theory;
    ++next;
  }
  if (next != names.size()) throw std::invalid_argument("--levels: the file has fewer levels than names are given");
  std::erase_if(results.warnings, [](const auto& warning) { return warning.find("ordinal") != warning.npos; });
  results.roofline = Roofline(std::move(ceilings), results.roofline.threads());
  assess(results);
}

using Reader = Results (*)(const std::string& text, const std::string& origin, const InputOptions& options);

Results read_data_txt(const std::string& text, const std::string& origin, const InputOptions&) {
  return parse_data_txt(text, origin);
}

/// Text formats by words that only they have, the most special ones first.
struct TextFormat {
  std::string_view name;
  std::vector<std::string_view> words;
  Reader read;
};
const std::vector<TextFormat>& text_formats() {
  static const std::vector<TextFormat> all{
      {"ncu --csv", {"Kernel Name", "Process ID"}, parse_ncu_kernels},
      {"", {"Kernel Name", "Metric Value"}, parse_ncu_kernels},
      {"", {"\"ID\"", "\"Kernel Name\""}, parse_ncu_kernels},
      {"nvprof --csv", {"Kernel", "Invocations", "Metric Name", "Avg"}, parse_nvprof},
      {"", {"Time(%)", "Calls", "Avg", "Name"}, parse_nvprof},
      {"", {"Start", "Duration", "Grid X", "Name"}, parse_nvprof},
      {"rocprofiler's counters", {"Kernel_Name", "_Timestamp"}, parse_rocprofiler},
      {"", {"Kernel_Name", "Counter_Name"}, parse_rocprofiler},
      {"", {"KernelName", "EndNs"}, parse_rocprofiler},
      {"Intel Advisor's survey (CSV)", {"Function Call Sites and Loops"}, parse_advisor},
      {"sde -mix", {"EMIT_GLOBAL_DYNAMIC_STATS"}, parse_sde},
      {"VTune's uncore events", {"UNC_M_CAS_COUNT.RD["}, parse_vtune},
      {"", {"UNC_E_RPQ_INSERTS["}, parse_vtune},
      {"Google Benchmark's JSON and CSV",
       {"name", "iterations", "real_time", "cpu_time", "time_unit"},
       parse_google_csv},
      {"data.txt", {"memroofs"}, read_data_txt},
      {"", {"comproofs"}, read_data_txt},
      {"efficiency.csv",
       {"name", "flops", ","},
       [](const std::string& text, const std::string& origin, const InputOptions&) {
         return parse_run_csv(text, origin);
       }},
  };
  return all;
}

/// Files that are read, but not as points or roofs.
struct Elsewhere {
  std::vector<std::string_view> words;
  std::string_view what;
};
const std::vector<Elsewhere>& read_elsewhere() {
  static const std::vector<Elsewhere> all{
      {{"n_elements", "sizeof"}, "BabelStream's bandwidths: --external-ceilings=FILE shows them next to roofs"},
      {{"Function", "Best Rate MB/s"}, "STREAM's bandwidths: --external-ceilings=FILE shows them next to roofs"},
      {{"Function", "Triad"},
       "STREAM's or BabelStream's bandwidths: --external-ceilings=FILE shows them next to roofs"},
      {{"MByte/s:"}, "likwid-bench's bandwidths: --external-ceilings=FILE shows them next to roofs"},
      {{"HBMBw"}, "rocprof's roofs: --external-ceilings=FILE shows them next to others"},
      {{"platform", "eff"}, "efficiencies by platform: roofline portability FILE"},
      {{"counter-value", "event"}, "perf stat's counters: roofline_bench --counters=FILE"},
      {{"STRUCT,Info"}, "LIKWID's counters: roofline_bench --counters=FILE"},
      {{"TABLE,"}, "LIKWID's counters: roofline_bench --counters=FILE"}};
  return all;
}

bool has_words(std::string_view text, const std::vector<std::string_view>& words) {
  return std::all_of(words.begin(), words.end(), [&](auto word) { return text.find(word) != text.npos; });
}

[[noreturn]] void refuse_unknown(std::string_view text, const std::string& origin) {
  for (const auto& other : read_elsewhere())
    if (has_words(text, other.words)) throw FileError(fmt::format("{}: {}", origin, other.what));
  throw FileError(fmt::format("{}: no format that is known; read are {}", origin, input_formats()));
}

Results parse_text(const std::string& text, const std::string& origin, const InputOptions& options) {
  for (const auto& format : text_formats())
    if (has_words(text, format.words)) return format.read(text, origin, options);
  refuse_unknown(text, origin);
}

/// Other tools call theirs "benchmarks", too.
void require_google_rows(const nlohmann::ordered_json& rows, const std::string& origin) {
  const auto is_row = [](const auto& row) {
    return row.is_object() && row.contains("name") &&
           (row.contains("real_time") || row.contains("run_type") || row.contains("iterations") ||
            row.contains("error_occurred"));
  };
  if (rows.is_array() && (rows.empty() || std::any_of(rows.begin(), rows.end(), is_row))) return;
  throw FileError(
      fmt::format("{}: /benchmarks is not that of Google Benchmark (rows with name and real_time), but of "
                  "another tool; read are {}",
                  origin, input_formats()));
}

Results parse_document(const std::string& text, const std::string& origin, const InputOptions& options) {
  const auto document = parse_json(strict_json(text), origin);
  const auto has = [&](const char* key) { return document.is_object() && document.contains(key); };
  if (has("roofline")) return parse_run(text, origin);
  if (has("empirical")) {
    auto results = parse_ert_json(text, origin);
    if (!options.levels.empty()) rename_levels(results, options.levels);
    return results;
  }
  if (has("benchmarks") && has("devices"))
    throw FileError(origin + ": nvbench's results: --external-ceilings=FILE shows its bandwidths next to roofs");
  if (has("benchmarks")) {
    require_google_rows(document.at("benchmarks"), origin);
    return parse_google_json(text, origin, options);
  }
  if (has("results") && text.find("\"command\"") != text.npos)
    throw FileError(origin +
                    ": hyperfine's times of whole programs, without FLOPs and bytes: count these with perf stat "
                    "or likwid-perfctr");
  refuse_unknown(text, origin);
}

/// The place where the JSON begins behind other lines of a program's output; npos: there is no JSON.
std::size_t json_begin(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos || text[begin] == '{' || text[begin] == '[') return begin;
  const auto later = text.find("\n{");
  return later == text.npos || !mentions(text, {"\"benchmarks\""}) ? text.npos : later + 1;
}

}  // namespace

Results results_of(const std::vector<ImportedKernel>& kernels, const std::string& origin,
                   std::vector<std::string> warnings, const std::string& needed, const std::set<std::string>& notes) {
  Results results;
  results.machine.name = origin;
  results.warnings = std::move(warnings);
  for (const auto& note : notes) results.warnings.push_back(origin + ": " + note);
  results.points = points_of(kernels, origin, results.warnings, needed);
  assess(results);
  return results;
}

std::optional<MemoryLevel> level_wanted(const InputOptions& options) {
  return options.level.empty() ? std::nullopt : std::optional(known_level(options.level));
}

std::string input_formats() {
  std::string names = "run.json, ERT's roofline.json";
  for (const auto& format : text_formats())
    if (!format.name.empty()) names += fmt::format(", {}", format.name);
  return names;
}

Results parse_input(const std::string& text, const std::string& origin, const InputOptions& options) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) throw FileError(origin + ": is empty");
  const auto begin = json_begin(text);
  return begin == text.npos ? parse_text(text, origin, options) : parse_document(text.substr(begin), origin, options);
}

Results read_input(const std::filesystem::path& path, const InputOptions& options) {
  const auto file = run_file(path);
  return parse_input(read_plain_text(file), file.string(), options);
}

}  // namespace roofline
