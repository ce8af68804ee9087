#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/text/clean.hpp"
#include "bench/text/csv.hpp"
#include "bench/text/output.hpp"
#include "reporters/comparison/outputs.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// Metrics of the new side that services keep a history of.
bool is_kept(const Finding& finding) {
  return finding.next && std::isfinite(*finding.next) && !finding.row.empty() && !finding.informational &&
         (finding.metric == "time" || finding.metric == "flops" || finding.metric.starts_with("bytes_"));
}

std::string_view unit_of(const Finding& finding) {
  return finding.metric == "time" ? "s" : finding.metric == "flops" ? "FLOP" : "B";
}

/// A metric as services want it: times in nanoseconds, with what the ratio's interval says of them.
struct Kept {
  const Finding& finding;
  bool is_time;
  double value, low, high;
};
std::vector<Kept> kept(const Comparison& comparison) {
  std::vector<Kept> all;
  for (const auto& finding : comparison.findings) {
    if (!is_kept(finding)) continue;
    const bool time = finding.metric == "time";
    const double value = *finding.next * (time ? 1e9 : 1);
    const auto ratio = finding.ratio && finding.ratio->median > 0 ? *finding.ratio : Interval{1, 1, 1};
    all.push_back({finding, time, value, value * ratio.low / ratio.median, value * ratio.high / ratio.median});
  }
  return all;
}

constexpr const char* history_columns = "time,row,metric,value,unit,machine,build\n";

}  // namespace

std::string bencher_json(const Comparison& comparison) {
  Json document = Json::object();
  for (const auto& [finding, is_time, value, low, high] : kept(comparison)) {
    Json entry = {{"value", value}};
    if (is_time) entry["lower_value"] = low, entry["upper_value"] = high;
    document[clean(finding.row)][is_time ? "latency" : finding.metric] = entry;
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string github_benchmark_json(const Comparison& comparison) {
  Json document = Json::array();
  for (const auto& [finding, is_time, value, low, high] : kept(comparison)) {
    Json entry = {{"name", clean(finding.row) + " " + finding.metric},
                  {"unit", is_time ? "ns" : unit_of(finding)},
                  {"value", value}};
    if (is_time) {
      entry["range"] = fmt::format("{:.4g}", (high - low) / 2);
      entry["extra"] = fmt::format("{}: {}", name(finding.verdict), finding.why);
    }
    document.push_back(std::move(entry));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string history_csv(const Comparison& comparison, const std::string& earlier) {
  std::string text(history_columns);
  if (!earlier.empty() && std::filesystem::exists(earlier)) {
    text = read_file(earlier);
    if (!text.starts_with(history_columns))
      throw FileError(fmt::format("{}:1: not a history of this program: the columns {:.40} are expected", earlier,
                                  history_columns));
    if (!text.ends_with('\n')) text += '\n';
  }
  for (const auto& finding : comparison.findings)
    if (is_kept(finding))
      text += fmt::format("{},{},{},{},{},{},{}\n", csv_field(comparison.date), csv_field(finding.row), finding.metric,
                          *finding.next, unit_of(finding), csv_field(comparison.machine), csv_field(comparison.next));
  return text;
}

}  // namespace roofline
