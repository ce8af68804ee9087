#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "bench/storage/row_columns.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "reporters/files/files.hpp"
#include "reporters/files/imported.hpp"

namespace roofline {
namespace {

/// A line of the names, and one of a point.
struct CsvRow {
  std::string names, values;

  static constexpr auto& levels() { return memory_levels; }
  template <class T>
  void operator()(const stored::RowColumn& column, const T& value) {
    if constexpr (std::is_same_v<T, double>)
      derived(column, value > 0 ? value : std::nan(""));
    else
      derived(column, value);
  }
  /// The value is written back for points for which `stored` holds. Others have a made-up amount of one second or
  /// unknown kinds, so the field stays empty. A rate is written for all.
  template <class T>
  void only(bool stored, const stored::RowColumn& column, const T& value) {
    if constexpr (std::is_integral_v<T>)
      stored ? derived(column, value) : derived(column, std::string());
    else
      derived(column, value);
  }
  template <class T>
  void derived(const stored::RowColumn& column, const T& value) {
    const auto* const comma = names.empty() ? "" : ",";
    names += comma + column.name;
    values += comma + text(value);
  }

 private:
  static std::string text(const std::string& value) { return csv_field(value); }
  static std::string text(bool value) { return value ? "1" : "0"; }
  static std::string text(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
  static std::string text(const std::optional<double>& value) { return value ? text(*value) : ""; }
  template <class T>
  static std::string text(T value) {
    return std::to_string(value);
  }
};

/// Reads a point from a record. Values that a file does not have stay as they are.
struct CsvPoint {
  const ForeignTable& table;
  const CsvRecord& record;

  static constexpr auto& levels() { return memory_levels; }
  void operator()(const stored::RowColumn& column, std::string& value) const {
    if (table.has(column.name)) value = table.text(record, column.name);
  }
  template <class T>
  void operator()(const stored::RowColumn& column, T& value) const {
    const auto number = table.number(record, column.name);
    if (number && std::is_integral_v<T> && !(*number >= 0 && *number <= (sizeof(T) < 8 ? 1e9 : 9e18)))
      table.fail(record.line, column.name + ": too large");
    if (number) value = static_cast<T>(*number);
  }
  template <class T>
  void only(bool stored, const stored::RowColumn& column, T& value) const {
    if (stored) (*this)(column, value);
  }
  template <class T>
  void derived(const stored::RowColumn&, const T&) const {}

  KernelPoint point() const {
    KernelPoint point;
    point.rate_only = table.text(record, "flops").empty() && table.number(record, "FLOP/s").has_value();
    // Our own files always said the canonical account.
    if (!table.has("flops_source")) point.counts.account = FlopAccount::counted;
    stored::row_columns(*this, point);
    if (point.family.empty()) point.family = point.name.substr(0, point.name.find('/'));
    point.threads = std::max(1, point.threads);
    auto& operations = point.counts.operations;
    const auto flops = point.declared_flops, told = operations.flops();
    // The one kind without a column, where all the others have one.
    if (table.has("fma_instructions") && table.has("div") && told > 0 && flops > told) operations.sqrt = flops - told;
    const bool blank = table.has("add") && table.text(record, "add").empty();
    if (operations.flops() != flops || blank)
      operations = {flops % 2, 0, flops / 2, 0}, point.counts.kinds_known = false;
    point.counts.operations_source = point.counts.traffic_source = Source::imported;
    if (!table.text(record, "time_bound").empty())
      point.bound_by = resource_of(table.text(record, "time_bound_by")).value_or(Resource());
    return point;
  }
};

}  // namespace

std::string efficiency_csv(const Results& results) {
  CsvRow header;
  const KernelPoint none;
  stored::row_columns(header, none);
  auto text = header.names + "\n";
  for (const auto& point : results.points) {
    CsvRow row;
    stored::row_columns(row, point);
    text += row.values + "\n";
  }
  return text;
}

Results parse_run_csv(const std::string& text, const std::string& origin) {
  auto table = ForeignTable::one(text, origin, {"name", "flops"}, {});
  const std::set<std::string> words{"name",       "family", "flops_source", "bytes_source",
                                    "bytes_note", "bound",  "bound_mix"};
  for (const auto& column : table.columns)
    if (!words.contains(column)) table.see(column);
  Results results;
  results.machine.name = origin;
  std::vector<std::string> without_bytes;
  for (const auto& record : table.rows) {
    results.points.push_back(CsvPoint{table, record}.point());
    const auto& counts = results.points.back().counts;
    if (counts.operations.flops() > 0 && std::none_of(counts.traffic.begin(), counts.traffic.end(),
                                                      [](const auto& traffic) { return traffic.has_value(); }))
      without_bytes.push_back(results.points.back().name);
  }
  if (!without_bytes.empty()) results.warnings.push_back(without_bytes_line(origin, without_bytes, "bytes_DRAM"));
  assess(results);
  return results;
}

namespace {
const ReportFile csv_file("efficiency.csv", efficiency_csv);
const ConvertFormat to_csv("csv", "efficiency.csv", efficiency_csv);
}  // namespace

}  // namespace roofline
