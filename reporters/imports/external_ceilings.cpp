#include <fmt/format.h>

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
#include "reporters/imports/input.hpp"

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
/// The same of a field of a table, where a number that is none is an error.
std::optional<double> positive(const ForeignTable& table, const CsvRecord& row, std::size_t column) {
  const auto value = table.number(row, column);
  return value && *value > 0 ? value : std::nullopt;
}

class ExternalCeilings {
 public:
  ExternalCeilings(std::string tool, std::string origin) : tool_(std::move(tool)), origin_(std::move(origin)) {}

  void bandwidth(MemoryLevel level, const std::string& what, double rate) {
    add(imported_bandwidth(level, tool_ + " " + what, rate, origin_));
  }
  void compute(const std::string& what, double rate) { add(imported_compute(tool_ + " " + what, rate, origin_)); }

  std::vector<Ceiling> all() const {
    if (ceilings_.empty()) throw FileError(fmt::format("{}: {} measured nothing in it", origin_, tool_));
    return ceilings_;
  }

 private:
  /// Of several results for one thing the best.
  void add(Ceiling ceiling) {
    ceiling.external = true;
    const auto same =
        std::find_if(ceilings_.begin(), ceilings_.end(), [&](const auto& c) { return c.label == ceiling.label; });
    if (same == ceilings_.end())
      ceilings_.push_back(std::move(ceiling));
    else if (ceiling.rate > same->rate)
      *same = std::move(ceiling);
  }

  std::string tool_, origin_;
  std::vector<Ceiling> ceilings_;
};

/// Two header rows; levels and units stand above their columns, which a table of one header cannot have.
std::vector<Ceiling> carm(const Csv& csv, const std::string& origin) {
  ExternalCeilings external("CARM", origin);
  if (csv.records.size() < 2) throw FileError(origin + ": the second header row is missing");
  const auto& groups = csv.records[0].fields;
  const auto& heads = csv.records[1].fields;
  if (!csv.ended)
    throw FileError(fmt::format("{}:{}: the last line has no end: cut short?", origin, csv.records.back().line));
  for (std::size_t r = 2; r < csv.records.size(); ++r) {
    const auto& row = csv.records[r].fields;
    for (std::size_t i = 0; i < std::min({row.size(), groups.size(), heads.size()}); ++i) {
      const auto group = plain_word(groups[i]), unit = plain_word(heads[i]);
      const auto value = positive(row[i]);  // 0: not measured
      if (!value) continue;
      if (unit == "gb/s") external.bandwidth(level_named(group, 3, 4), upper(group), 1e9 * *value);
      if (unit.rfind("gflop", 0) == 0) external.compute(group == "fp" ? "no-FMA" : "FMA", 1e9 * *value);
    }
  }
  return external.all();
}

/// One row per device; names of columns vary in case.
std::vector<Ceiling> rocprof(const ForeignTable& table, const std::string& origin) {
  ExternalCeilings external("rocprof", origin);
  const std::map<std::string, MemoryLevel> levels{{"hbmbw", MemoryLevel::DRAM},
                                                  {"l2bw", MemoryLevel::L2},
                                                  {"l1bw", MemoryLevel::L1},
                                                  {"mallbw", MemoryLevel::L3},
                                                  {"ldsbw", MemoryLevel::shared}};
  const std::map<std::string, std::string> peaks{
      {"fp64flops", "FP64 FMA"}, {"fp32flops", "FP32 FMA"}, {"mfmaf64flops", "FP64 matrix"}};
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto head = plain_word(table.columns[c]);
      if (!levels.contains(head) && !peaks.contains(head)) continue;
      const auto value = positive(table, row, c);
      if (value && levels.contains(head)) external.bandwidth(levels.at(head), table.columns[c], 1e9 * *value);
      if (value && peaks.contains(head)) external.compute(peaks.at(head), 1e9 * *value);
    }
  return external.all();
}

/// A set of three arrays that a cache may hold is none of DRAM.
bool may_fit_in_cache(double bytes) {
  constexpr double large_caches = 100e6;
  return bytes > 0 && bytes < large_caches;
}

/// "Copy", or with a set that a cache may hold "Copy (2.4 MB)" and a warning.
std::string named_by_set(const std::string& test, double bytes, const std::string& origin, Options& options) {
  if (!may_fit_in_cache(bytes) || options.level) return test;
  options.warnings.push_back(
      fmt::format("{}: {}: its arrays have {:.3g} MB together, which may fit in a cache: no bandwidth of DRAM then; "
                  "--level says which it is of",
                  origin, test, 1e-6 * bytes));
  return fmt::format("{} ({:.3g} MB)", test, 1e-6 * bytes);
}

/// All forms of --csv: a unit is part of a column's name, MB are 10^6, MiB 2^20. Phases are transfers, in tables of
/// their own.
std::vector<Ceiling> babel_stream(std::vector<ForeignTable>& tables, const std::string& origin, Options& options) {
  ExternalCeilings external("BabelStream", origin);
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
        external.bandwidth(options.level.value_or(MemoryLevel::DRAM),
                           named_by_set(table.text(row, "function"), set, origin, options), unit->factor * *value);
      }
    }
  }
  return external.all();
}

/// "Triad:  110000.0  0.0176 ..." below a line that has the unit, of STREAM or of BabelStream without --csv.
std::vector<Ceiling> stream_text(const std::string& text, const std::string& origin, Options& options) {
  const bool babel = text.find("BabelStream") != text.npos;
  ExternalCeilings external(babel ? "BabelStream" : "STREAM", origin);
  std::optional<Unit> unit;
  double elements = 0, size = 0;
  int number = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto after = [&](const char* words) {
      const auto at = line.find(words);
      return at == line.npos ? 0 : std::atof(line.c_str() + at + std::string(words).size());
    };
    if (const double n = std::max(after("Array size = "), after("Number of elements: ")); n > 0) elements = n;
    if (const double bytes = after("This system uses "); bytes > 0) size = bytes;
    if (line.find("Precision: double") != line.npos) size = 8;
    if (line.find("Precision: float") != line.npos) size = 4;
    if (line.find("Failed Validation") != line.npos || line.find("Validation failed") != line.npos)
      options.warnings.push_back(fmt::format("{}:{}: its own validation failed", origin, number));
    if (line.starts_with("Function")) {
      unit = unit_in(line, "byte");
      if (!unit || unit->of != "byte/second")
        throw FileError(fmt::format("{}:{}: no unit of bandwidth in the head of the table", origin, number));
      continue;
    }
    std::istringstream words(line);
    std::string test, rate, seconds;
    if (!unit || !(words >> test >> rate >> seconds)) continue;
    if (test.ends_with(":")) test.pop_back();
    const auto value = positive(rate);
    if (!value || !positive(seconds) || !std::isalpha(static_cast<unsigned char>(test[0]))) {
      if (test == "Copy" || test == "Scale" || test == "Mul" || test == "Add" || test == "Triad" || test == "Dot")
        throw FileError(fmt::format("{}:{}: '{}' is no bandwidth", origin, number, clean(rate)));
      continue;
    }
    if (lines.eof()) throw FileError(fmt::format("{}:{}: the last line has no end: cut short?", origin, number));
    external.bandwidth(options.level.value_or(MemoryLevel::DRAM),
                       named_by_set(test, 3 * elements * size, origin, options), unit->factor * *value);
  }
  return external.all();
}

/// "Test: triad", "MByte/s: 12345.6", "MFlops/s: ...".
std::vector<Ceiling> likwid(const std::string& text, const std::string& origin, const Options& options) {
  ExternalCeilings external("likwid-bench", origin);
  std::string test = "test";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto key = line.substr(0, colon);
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    const auto value = begin == line.npos ? "" : line.substr(begin);
    if (key == "Test") test = value;
    if (key != "MByte/s" && key != "MFlops/s") continue;
    const auto number = positive(value);
    if (!number) throw FileError(fmt::format("{}: {} of {}: '{}' is no rate", origin, key, clean(test), clean(value)));
    if (key == "MByte/s") external.bandwidth(options.level.value_or(MemoryLevel::DRAM), test, 1e6 * *number);
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

std::vector<Ceiling> nvbench(const nlohmann::ordered_json& document, const std::string& origin) {
  if (!document.contains("meta"))
    throw FileError(origin + ": /meta is missing: written by nvbench before version 1.0.0 of its format");
  ExternalCeilings external("nvbench", origin);
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

std::vector<Ceiling> parse_external_ceilings(const std::string& text, const std::string& origin, Options& options) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') {
    const auto document = parse_json(text, origin);
    if (document.contains("benchmarks") && document["benchmarks"].is_array() && document.contains("devices"))
      return nvbench(document, origin);
    throw FileError(origin + ": /devices or /benchmarks is missing: not the JSON of nvbench");
  }
  if (mentions(text, {"MByte/s:"}) || mentions(text, {"MFlops/s:"})) return likwid(text, origin, options);
  if (auto tables = ForeignTable::find(text, origin, {"function", "n_elements", "sizeof"}); !tables.empty())
    return babel_stream(tables, origin, options);
  if (mentions(text, {"Function", "Triad"}) || mentions(text, {"STREAM"})) return stream_text(text, origin, options);
  const auto csv = parse_csv(text);
  if (!csv.complete) throw FileError(origin + ": a quoted field is not closed: cut short?");
  const auto first = csv.records.empty() ? "" : plain_word(csv.records[0].fields[0]);
  if (first == "name:") return carm(csv, origin);
  if (first == "device") return rocprof(ForeignTable::one(text, origin, {"device"}, {}), origin);
  throw FileError(origin +
                  ": no tool that is known wrote this: CARM, rocprof, BabelStream, STREAM, likwid-bench, nvbench");
}

}  // namespace roofline
