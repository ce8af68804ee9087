#include "reporters/imports/google_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/text/clean.hpp"
#include "bench/text/imports/unit.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// Keys of Google Benchmark's own.
const std::set<std::string> google_keys{"family_index",
                                        "per_family_instance_index",
                                        "repetitions",
                                        "repetition_index",
                                        "threads",
                                        "iterations",
                                        "real_time",
                                        "cpu_time",
                                        "cpu_coefficient",
                                        "real_coefficient",
                                        "rms"};
constexpr std::array google_statistics{"_mean", "_median", "_stddev", "_cv", "_min", "_max", "_BigO", "_RMS"};

}  // namespace

double positive_in(const Json& row, const std::string& key) {
  const auto it = row.find(key);
  const double value = it != row.end() && it->is_number() ? it->get<double>() : 0;
  return std::isfinite(value) && value > 0 ? value : 0;
}
std::string text_in(const Json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() ? it->get<std::string>() : std::string();
}
std::int64_t integer_in(const Json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_number_integer() ? it->get<std::int64_t>() : -1;
}
double seconds_in(const Json& row, const char* key) {
  const auto unit = text_in(row, "time_unit");
  const auto seconds = unit_named(unit.empty() ? "ns" : unit);
  return seconds && seconds->of == "second" ? positive_in(row, key) * seconds->factor : 0;
}
double wall_seconds(const Json& row, const std::string& origin) {
  const double seconds = seconds_in(row, "real_time");
  if (seconds > 0) return seconds;
  throw FileError(fmt::format("{}: {}: real_time is not in ns, us, ms or s", origin, clean(text_in(row, "name"))));
}

GoogleRows::GoogleRows(const Json& rows, const std::string& origin) {
  if (!rows.is_array()) throw FileError(origin + ": /benchmarks: an array is expected");
  const auto place = [&](std::size_t i) { return fmt::format("{}: /benchmarks/{}", origin, i); };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_object()) throw FileError(place(i) + ": an object is expected");
    names_.insert(text_in(rows[i], "name"));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) see(rows[i], place(i));
}

/// "mean" of the row "axpy_mean"; empty for a row that is a measurement. Before 1.5 only names told.
std::string GoogleRows::statistic_of(const Json& row, std::string& name) const {
  const bool said = row.contains("run_type");
  if (said && text_in(row, "run_type") != "aggregate") return {};
  for (const auto* const suffix : google_statistics)
    if (name.ends_with(suffix)) {
      const auto base = name.substr(0, name.size() - std::string(suffix).size());
      const bool sibling = std::any_of(google_statistics.begin(), google_statistics.end(), [&](const auto* other) {
        return other != suffix && names_.contains(base + other);
      });
      const bool is_complexity = std::string(suffix) == "_BigO" || std::string(suffix) == "_RMS";
      if (!said && !sibling && !is_complexity && !names_.contains(base)) return {};
      name = base;
      return suffix + 1;
    }
  return said ? text_in(row, "aggregate_name") + "?" : row.contains("big_o") || row.contains("rms") ? "BigO" : "";
}

void GoogleRows::see(const Json& row, const std::string& place) {
  auto name = text_in(row, "name");
  if (name.empty()) throw FileError(place + "/name: is missing");
  for (const auto* const key : {"error_message", "skip_message"})
    if (row.contains(key) && text_in(row, key) != "")
      return void(failures_.emplace_back(clean(name), clean(text_in(row, key))));
  for (const auto* const key : {"error_occurred", "skipped"})
    if (row.contains(key) && row.at(key) == true) return void(failures_.emplace_back(clean(name), "it was skipped"));
  const auto statistic = statistic_of(row, name);
  if (statistic == "BigO" || statistic == "RMS") return;
  if (!text_in(row, "run_name").empty()) name = text_in(row, "run_name");
  for (const auto& [key, value] : row.items())
    if (value.is_number() && !google_keys.contains(key)) counters_.insert(key);
  const auto family = integer_in(row, "family_index"), instance = integer_in(row, "per_family_instance_index");
  auto& number = numbers_[fmt::format("{}\n{}/{}", name, family, instance)];
  const bool starts = number.empty() || (statistic.empty() && is_another(groups_[number.back()], row, name));
  if (starts) number.push_back(groups_.size()), groups_.push_back({clean(name), {}, {}, {}});
  auto& group = groups_[number.back()];
  if (statistic.empty())
    group.repetitions.push_back(&row), group.indices.insert(integer_in(row, "repetition_index"));
  else
    group.statistics[statistic] = &row;
}

/// Whether a row starts a new benchmark instead of being a repetition of earlier rows with its name.
bool GoogleRows::is_another(const GoogleGroup& group, const Json& row, const std::string& name) const {
  if (group.repetitions.empty()) return false;
  if (const auto repetition = integer_in(row, "repetition_index"); repetition >= 0)
    return group.indices.contains(repetition);
  if (row.contains("run_type")) return false;
  return name.find("/repeats:") == name.npos && !names_.contains(name + "_mean") && !names_.contains(name + "_median");
}

}  // namespace roofline
