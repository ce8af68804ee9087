#include "reporters/formats/google_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "bench/model/statistics.hpp"
#include "bench/run/conclude.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/formats/imported.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// Keys of Google Benchmark's own.
const std::set<std::string> own_keys{"family_index", "per_family_instance_index",
                                     "repetitions",  "repetition_index",
                                     "threads",      "iterations",
                                     "real_time",    "cpu_time"};

double seconds_per(const std::string& unit) {
  static const std::map<std::string, double> units{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  const auto found = units.find(unit);
  return found == units.end() ? 0 : found->second;
}

/// Repetitions of one row.
struct Samples {
  std::vector<double> seconds, flops, bytes;  ///< of one iteration
};

double positive(const Json& row, const std::string& key) {
  const auto it = row.find(key);
  const double value = it != row.end() && it->is_number() ? it->get<double>() : 0;
  return std::isfinite(value) && value > 0 ? value : 0;
}

class GoogleRows {
 public:
  GoogleRows(const Json& document, std::string origin, const GoogleCounters& counters)
      : origin_(std::move(origin)), counters_(counters) {
    const auto& rows = document.at("benchmarks");
    if (!rows.is_array()) throw FileError(origin_ + ": /benchmarks: an array is expected");
    for (const bool aggregates : {false, true})
      if (samples_.empty())
        for (std::size_t i = 0; i < rows.size(); ++i) see(rows[i], i, aggregates);
  }

  const std::vector<std::string>& order() const { return order_; }
  const Samples& operator[](const std::string& name) const { return samples_.at(name); }
  int without_counters() const { return without_; }
  const std::set<std::string>& counters() const { return known_; }

 private:
  void see(const Json& row, std::size_t index, bool aggregates) {
    const auto at = fmt::format("{}: /benchmarks/{}", origin_, index);
    if (!row.is_object()) throw FileError(at + ": an object is expected");
    const auto text = [&](const char* key) {
      const auto it = row.find(key);
      return it != row.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    const bool aggregate = text("run_type") == "aggregate";
    if (aggregate != aggregates || (aggregate && text("aggregate_name") != "median")) return;
    if (row.contains("error_occurred") || row.contains("error_message") || row.contains("skipped")) return;
    const auto name = text("run_name").empty() ? text("name") : text("run_name");
    if (name.empty()) throw FileError(at + "/name: is missing");
    const auto unit = text("time_unit");
    const double seconds = positive(row, "real_time") * seconds_per(unit.empty() ? "ns" : unit);
    if (seconds <= 0) throw FileError(at + "/real_time: no time in ns, us, ms or s");
    for (const auto& [key, value] : row.items())
      if (value.is_number() && !own_keys.contains(key)) known_.insert(key);
    const double scale = counters_.per_iteration ? 1 : seconds;
    const double flops = positive(row, counters_.flops) * scale, bytes = positive(row, counters_.bytes) * scale;
    if (flops <= 0 || flops > 9e18 || bytes <= 0) {
      ++without_;
      return;
    }
    if (!samples_.contains(name)) order_.push_back(name);
    auto& samples = samples_[name];
    samples.seconds.push_back(seconds), samples.flops.push_back(flops), samples.bytes.push_back(bytes);
  }

  std::string origin_;
  const GoogleCounters& counters_;
  std::map<std::string, Samples> samples_;
  std::vector<std::string> order_;
  std::set<std::string> known_;
  int without_ = 0;
};

}  // namespace

Results parse_google_json(const std::string& text, const std::string& origin, const GoogleCounters& counters) {
  const auto document = parse_json(strict_json(text), origin);
  if (!document.is_object() || !document.contains("benchmarks"))
    throw FileError(origin + ": /benchmarks is missing: no results of Google Benchmark");
  const GoogleRows rows(document, origin, counters);
  if (rows.order().empty())
    throw std::invalid_argument(fmt::format("{}: no row has both counters {} and {}; there are: {}", origin,
                                            counters.flops, counters.bytes, fmt::join(rows.counters(), ", ")));
  Results results;
  results.machine.name = origin;
  if (rows.without_counters() > 0)
    results.warnings.push_back(
        fmt::format("{}: {} rows without {} or {}", origin, rows.without_counters(), counters.flops, counters.bytes));
  for (const auto& row : rows.order()) {
    const auto& samples = rows[row];
    const auto time = median_interval(samples.seconds);
    const double flops = median(samples.flops);
    auto point = imported_point(row, flops, {{counters.level, flops / median(samples.bytes)}});
    point.time = time;
    for (const double seconds : samples.seconds)
      point.samples.push_back({.round = static_cast<int>(point.samples.size()), .seconds = seconds});
    results.points.push_back(std::move(point));
  }
  conclude(results);
  return results;
}

}  // namespace roofline
