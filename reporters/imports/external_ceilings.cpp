#include "reporters/imports/external_ceilings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "bench/text/clean.hpp"
#include "bench/text/csv.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/imports/number_format.hpp"
#include "bench/text/imports/unit.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/files/imported.hpp"
#include "reporters/files/roof_names.hpp"
#include "reporters/imports/cache_fit.hpp"

namespace roofline {
namespace {

using Options = OpinionOptions;

std::string upper(std::string text) {
  for (auto& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// A positive number; absent when the text is another.
std::optional<double> positive(const std::string& text) {
  try {
    const auto value = NumberFormat('.').read(text);
    return value && *value > 0 ? value : std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}
/// The same for a field of a table; text that is not a number is an error.
std::optional<double> positive(const ForeignTable& table, const CsvRecord& row, std::size_t column) {
  const auto value = table.number(row, column);
  return value && *value > 0 ? value : std::nullopt;
}

/// Two header rows; levels and units stand above their columns, which a table of one header cannot have.
std::vector<Ceiling> carm(const Csv& csv, const std::string& origin, Options& options) {
  ExternalCeilings external("CARM", origin, options);
  if (csv.records.size() < 2) throw FileError(origin + ": the second header row is missing");
  const auto& groups = csv.records[0].fields;
  const auto& heads = csv.records[1].fields;
  if (!csv.ended)
    throw FileError(fmt::format("{}:{}: the last line has no end: cut short?", origin, csv.records.back().line));
  std::size_t precision = heads.size();
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (plain_word(heads[i]) == "precision") precision = i;
  for (std::size_t r = 2; r < csv.records.size(); ++r) {
    const auto& row = csv.records[r].fields;
    if (row.size() != heads.size() || row.size() != groups.size())
      throw FileError(fmt::format("{}:{}: {} fields, the headers have {} and {}", origin, csv.records[r].line,
                                  row.size(), groups.size(), heads.size()));
    const auto of = precision < row.size() ? roof_named(row[precision]).precision : std::string();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto group = plain_word(groups[i]), unit = plain_word(heads[i]);
      const auto value = positive(row[i]);  // 0: not measured
      if (!value) continue;
      if (unit == "gb/s") external.bandwidth(level_named(group, 3, 4), upper(group), 1e9 * *value);
      if (unit.rfind("gflop", 0) == 0) external.compute(group == "fp" ? "no-FMA" : "FMA", 1e9 * *value, of);
    }
  }
  return external.all();
}

/// One row per device; names of columns vary in case.
std::vector<Ceiling> rocprof(const ForeignTable& table, const std::string& origin, Options& options) {
  ExternalCeilings external("rocprof", origin, options);
  const std::map<std::string, MemoryLevel> levels{{"hbmbw", MemoryLevel::DRAM},
                                                  {"l2bw", MemoryLevel::L2},
                                                  {"l1bw", MemoryLevel::L1},
                                                  {"mallbw", MemoryLevel::L3},
                                                  {"ldsbw", MemoryLevel::shared}};
  // "FP32Flops" is the peak of vectors, "MFMABF16Flops" that of matrices.
  const auto peak = [](std::string head) -> std::string {
    if (!head.ends_with("flops")) return {};
    head.resize(head.size() - 5);
    const bool matrix = head.starts_with("mfma");
    auto of = upper(matrix ? head.substr(4) : head);
    if (of.starts_with("F")) of = "FP" + of.substr(of.starts_with("FP") ? 2 : 1);
    return of + (matrix ? " matrix" : " FMA");
  };
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto head = plain_word(table.columns[c]);
      const auto compute = peak(head);
      if (!levels.contains(head) && compute.empty()) continue;
      const auto value = positive(table, row, c);
      if (value && levels.contains(head)) external.bandwidth(levels.at(head), table.columns[c], 1e9 * *value);
      if (value && !compute.empty()) external.compute(compute, 1e9 * *value);
    }
  return external.all();
}

/// All forms of --csv: a unit is part of a column's name, MB are 10^6, MiB 2^20. Phases are transfers, in tables of
/// their own.
std::vector<Ceiling> babel_stream(std::vector<ForeignTable>& tables, const std::string& origin, Options& options) {
  ExternalCeilings external("BabelStream", origin, options);
  for (auto& table : tables) {
    for (const auto& column : table.columns) {
      const auto unit = unit_in(column, "byte");
      if (!unit || unit->of != "byte/second") continue;
      for (const auto* const used : {column.c_str(), "n_elements", "sizeof"}) table.see(used);
      for (const auto& row : table.rows) {
        const auto value = positive(table, row, *table.column(column));
        if (!value) continue;
        constexpr double arrays = 3;
        const double set =
            arrays * table.number(row, "n_elements").value_or(0) * table.number(row, "sizeof").value_or(0);
        external.bandwidth_of_set(table.text(row, "function"), unit->factor * *value, set);
      }
    }
  }
  return external.all();
}

/// "Test: triad", "Size (Byte): 24000", "MByte/s: 12345.6", "MFlops/s: ...".
std::vector<Ceiling> likwid(const std::string& text, const std::string& origin, Options& options) {
  ExternalCeilings external("likwid-bench", origin, options);
  std::string test = "test";
  double set = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto key = line.substr(0, colon);
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    const auto value = begin == line.npos ? "" : line.substr(begin);
    if (key == "Test") test = value, set = 0;
    if (key == "Size (Byte)") set = positive(value).value_or(0);
    if (key != "MByte/s" && key != "MFlops/s") continue;
    const auto number = positive(value);
    if (!number)
      throw FileError(fmt::format("{}: {} of {}: '{}' is not a rate", origin, key, clean(test), clean(value)));
    if (key == "MByte/s") external.bandwidth_of_set(test, 1e6 * *number, set);
    if (key == "MFlops/s" && test.find("peakflops") != std::string::npos) external.compute(test, 1e6 * *number);
  }
  return external.all();
}

/// Numbers are written as texts, to keep 64-bit integers.
std::optional<double> nvbench_value(const nlohmann::ordered_json& summary) {
  if (!summary.contains("data") || !summary["data"].is_array()) return {};
  for (const auto& datum : summary["data"]) {
    if (!datum.is_object() || !datum.contains("name") || datum["name"] != "value" || !datum.contains("value")) continue;
    const auto& value = datum["value"];
    if (value.is_string()) return positive(value.get<std::string>());
    if (value.is_number()) return positive(fmt::format("{}", value.get<double>()));
  }
  return {};
}

std::vector<Ceiling> nvbench(const nlohmann::ordered_json& document, const std::string& origin, Options& options) {
  if (!document.contains("meta"))
    throw FileError(origin + ": /meta is missing: written by nvbench before version 1.0.0 of its format");
  ExternalCeilings external("nvbench", origin, options);
  for (const auto& benchmark : document["benchmarks"]) {
    if (!benchmark.is_object() || !benchmark.contains("states") || !benchmark["states"].is_array()) continue;
    const auto name =
        benchmark.contains("name") && benchmark["name"].is_string() ? benchmark["name"].get<std::string>() : "";
    for (const auto& state : benchmark["states"]) {
      if (!state.is_object() || !state.contains("summaries") || !state["summaries"].is_array()) continue;
      for (const auto& summary : state["summaries"])
        if (summary.is_object() && summary.contains("tag") && summary["tag"] == "nv/cold/bw/global/bytes_per_second")
          if (const auto value = nvbench_value(summary)) external.bandwidth(MemoryLevel::DRAM, name, *value);
    }
  }
  return external.all();
}

}  // namespace

void ExternalCeilings::bandwidth(MemoryLevel level, const std::string& what, double rate) {
  add(imported_bandwidth(level, tool_ + " " + what, rate, origin_));
}

void ExternalCeilings::bandwidth_of_set(const std::string& test, double rate, double set) {
  if (set <= 0 && !options_.level)
    options_.warnings.push_back(fmt::format(
        "{}: {}: the size of its arrays is not known, and if they fit in a cache, its rate is not of DRAM: say the "
        "level with --level",
        origin_, test));
  if (options_.level || !cache_fit(set).doubtful)
    return bandwidth(options_.level.value_or(MemoryLevel::DRAM), test, rate);
  options_.warnings.push_back(
      fmt::format("{}: {}: {}", origin_, test, may_fit(fmt::format("the {:.3g} MB of its arrays", 1e-6 * set))));
  bandwidth(MemoryLevel::DRAM, fmt::format("{} ({:.3g} MB)", test, 1e-6 * set), rate);
}

void ExternalCeilings::compute(const std::string& what, double rate, const std::string& precision) {
  const auto of = precision.empty() || precision == "fp64" ? "" : upper(precision) + " ";
  auto ceiling = imported_compute(fmt::format("{} {}{}", tool_, of, what), rate, origin_);
  if (!precision.empty()) ceiling.precision = precision;
  add(std::move(ceiling));
}

void ExternalCeilings::warn(int line, const std::string& what) {
  options_.warnings.push_back(fmt::format("{}:{}: {}", origin_, line, what));
}

void ExternalCeilings::add(Ceiling ceiling) {
  ceiling.external = true;
  const auto same =
      std::find_if(ceilings_.begin(), ceilings_.end(), [&](const auto& c) { return c.label == ceiling.label; });
  if (same == ceilings_.end()) return ceilings_.push_back(std::move(ceiling));
  if (ceiling.rate != same->rate) several_.insert(ceiling.label);
  if (ceiling.rate > same->rate) *same = std::move(ceiling);
}

std::vector<Ceiling> ExternalCeilings::all() {
  if (ceilings_.empty()) throw FileError(fmt::format("{}: {} measured nothing in it", origin_, tool_));
  if (!several_.empty())
    options_.warnings.push_back(
        fmt::format("{}: several results for {}: the best is taken", origin_, fmt::join(several_, ", ")));
  return ceilings_;
}

std::vector<Ceiling> parse_external_ceilings(const std::string& text, const std::string& origin, Options& options) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') {
    const auto document = parse_json(text, origin);
    if (document.contains("benchmarks") && document["benchmarks"].is_array() && document.contains("devices"))
      return nvbench(document, origin, options);
    throw FileError(origin + ": /devices or /benchmarks is missing: not the JSON of nvbench");
  }
  warn_of_failed_validation(text, origin, options);
  if (mentions(text, {"MByte/s:"}) || mentions(text, {"MFlops/s:"})) return likwid(text, origin, options);
  if (auto tables = ForeignTable::find(text, origin, {"function", "n_elements", "sizeof"}, {0, {}, &options.warnings});
      !tables.empty())
    return babel_stream(tables, origin, options);
  if (has_function_table(text) || mentions(text, {"STREAM"})) return parse_function_tables(text, origin, options);
  const auto csv = parse_csv(text);
  if (!csv.complete) throw FileError(origin + ": a quoted field is not closed: cut short?");
  const auto first = csv.records.empty() ? "" : plain_word(csv.records[0].fields[0]);
  if (first == "name:") return carm(csv, origin, options);
  if (first == "device")
    return rocprof(ForeignTable::one(text, origin, {"device"}, {0, {}, &options.warnings}), origin, options);
  throw FileError(origin +
                  ": no tool that is known wrote this: CARM, rocprof, BabelStream, STREAM, TheBandwidthBenchmark, "
                  "likwid-bench, nvbench");
}

}  // namespace roofline
