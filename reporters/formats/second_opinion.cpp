#include "reporters/formats/second_opinion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "bench/text/csv.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/formats/imported.hpp"

namespace roofline {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\n"), end = text.find_last_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}
/// A positive number; absent when the text is another.
std::optional<double> positive(const std::string& field) {
  const auto text = trimmed(field);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value <= 0) return {};
  return value;
}

class Opinion {
 public:
  Opinion(std::string tool, std::string origin) : tool_(std::move(tool)), origin_(std::move(origin)) {}

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
    ceiling.opinion = true;
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

/// Two header rows; levels and units stand above their columns.
std::vector<Ceiling> carm(const Csv& csv, const std::string& origin) {
  Opinion opinion("CARM", origin);
  if (csv.records.size() < 2) throw FileError(origin + ": the second header row is missing");
  const auto& groups = csv.records[0].fields;
  const auto& heads = csv.records[1].fields;
  for (std::size_t r = 2; r < csv.records.size(); ++r) {
    const auto& row = csv.records[r].fields;
    for (std::size_t i = 0; i < std::min({row.size(), groups.size(), heads.size()}); ++i) {
      const auto group = trimmed(groups[i]), unit = lower_case(trimmed(heads[i]));
      const auto value = positive(row[i]);  // 0: not measured
      if (!value) continue;
      if (unit == "gb/s") opinion.bandwidth(level_named(group, 3, 4), group, 1e9 * *value);
      if (unit.rfind("gflop", 0) == 0) opinion.compute(group == "FP" ? "no-FMA" : "FMA", 1e9 * *value);
    }
  }
  return opinion.all();
}

/// One row per device; names of columns vary in case.
std::vector<Ceiling> rocprof(const Csv& csv, const std::string& origin) {
  Opinion opinion("rocprof", origin);
  const std::map<std::string, MemoryLevel> levels{{"hbmbw", MemoryLevel::DRAM},
                                                  {"l2bw", MemoryLevel::L2},
                                                  {"l1bw", MemoryLevel::L1},
                                                  {"mallbw", MemoryLevel::L3},
                                                  {"ldsbw", MemoryLevel::shared}};
  const std::map<std::string, std::string> peaks{
      {"fp64flops", "FP64 FMA"}, {"fp32flops", "FP32 FMA"}, {"mfmaf64flops", "FP64 matrix"}};
  const auto& heads = csv.records[0].fields;
  for (std::size_t r = 1; r < csv.records.size(); ++r)
    for (std::size_t i = 0; i < std::min(csv.records[r].fields.size(), heads.size()); ++i) {
      const auto head = lower_case(trimmed(heads[i]));
      const auto value = positive(csv.records[r].fields[i]);
      if (!value) continue;
      if (levels.contains(head)) opinion.bandwidth(levels.at(head), trimmed(heads[i]), 1e9 * *value);
      if (peaks.contains(head)) opinion.compute(peaks.at(head), 1e9 * *value);
    }
  return opinion.all();
}

/// The unit is part of a column's name: MB are 10^6, MiB 2^20.
std::vector<Ceiling> babel_stream(const Csv& csv, const std::string& origin) {
  Opinion opinion("BabelStream", origin);
  const auto& heads = csv.records[0].fields;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto head = lower_case(trimmed(heads[i]));
    const std::map<std::string, double> units{
        {"max_mbytes_per_sec", 1e6}, {"max_mibytes_per_sec", 1048576}, {"max_gbytes_per_sec", 1e9}};
    if (!units.contains(head)) continue;
    for (std::size_t r = 1; r < csv.records.size(); ++r)
      if (const auto& row = csv.records[r].fields; row.size() > i)
        if (const auto value = positive(row[i]))
          opinion.bandwidth(MemoryLevel::DRAM, trimmed(row[0]), units.at(head) * *value);
  }
  return opinion.all();
}

/// "Test: triad", "MByte/s: 12345.6", "MFlops/s: ...".
std::vector<Ceiling> likwid(const std::string& text, const std::string& origin) {
  Opinion opinion("likwid-bench", origin);
  std::string test = "test";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto key = trimmed(line.substr(0, colon)), value = trimmed(line.substr(colon + 1));
    if (key == "Test") test = value;
    const auto number = positive(value);
    if (key == "MByte/s" && number) opinion.bandwidth(MemoryLevel::DRAM, test, 1e6 * *number);
    if (key == "MFlops/s" && number && test.find("peakflops") != std::string::npos)
      opinion.compute(test, 1e6 * *number);
  }
  return opinion.all();
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
  Opinion opinion("nvbench", origin);
  for (const auto& benchmark : document["benchmarks"]) {
    if (!benchmark.is_object() || !benchmark.contains("states") || !benchmark["states"].is_array()) continue;
    const auto name =
        benchmark.contains("name") && benchmark["name"].is_string() ? benchmark["name"].get<std::string>() : "";
    for (const auto& state : benchmark["states"]) {
      if (!state.is_object() || !state.contains("summaries") || !state["summaries"].is_array()) continue;
      for (const auto& summary : state["summaries"])
        if (summary.is_object() && summary.contains("tag") && summary["tag"] == "nv/cold/bw/global/bytes_per_second")
          if (const auto value = nvbench_value(summary)) opinion.bandwidth(MemoryLevel::DRAM, name, *value);
    }
  }
  return opinion.all();
}

}  // namespace

std::vector<Ceiling> parse_second_opinion(const std::string& text, const std::string& origin) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') {
    const auto document = parse_json(text, origin);
    if (document.contains("benchmarks") && document["benchmarks"].is_array() && document.contains("devices"))
      return nvbench(document, origin);
    throw FileError(origin + ": /devices or /benchmarks is missing: not the JSON of nvbench");
  }
  if (text.find("MByte/s:") != std::string::npos || text.find("MFlops/s:") != std::string::npos)
    return likwid(text, origin);
  const auto csv = parse_csv(text);
  if (!csv.complete) throw FileError(origin + ": a quoted field is not closed: cut short?");
  const auto first = csv.records.empty() ? "" : lower_case(trimmed(csv.records[0].fields[0]));
  if (first == "name:") return carm(csv, origin);
  if (first == "device") return rocprof(csv, origin);
  if (first == "function") return babel_stream(csv, origin);
  throw FileError(origin + ": no tool that is known wrote this: CARM, rocprof, BabelStream, likwid-bench, nvbench");
}

}  // namespace roofline
