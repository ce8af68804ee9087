#include "reporters/formats/run_csv.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>

#include "bench/run/conclude.hpp"
#include "bench/text/csv.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

/// One record by the names of its columns.
class CsvRow {
 public:
  CsvRow(const CsvRecord& record, const std::map<std::string, std::size_t>& columns, const std::string& origin)
      : record_(record), columns_(columns), origin_(origin) {}

  std::string text(const std::string& column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? "" : record_.fields[found->second];
  }
  /// Absent where the field is empty; a number that is none, or negative, is an error.
  std::optional<double> number(const std::string& column) const {
    const auto field = text(column);
    if (field.empty()) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(value) || value < 0 ||
        value > 1e300)
      throw FileError(fmt::format("{}:{}: {}: '{}' is no number", origin_, record_.line, column, field.substr(0, 40)));
    return value;
  }
  std::uint64_t count(const std::string& column) const {
    const double value = number(column).value_or(0);
    if (value > 9e18) throw FileError(fmt::format("{}:{}: {}: too large", origin_, record_.line, column));
    return static_cast<std::uint64_t>(value);
  }

 private:
  const CsvRecord& record_;
  const std::map<std::string, std::size_t>& columns_;
  const std::string& origin_;
};

KernelPoint point_of(const CsvRow& row) {
  KernelPoint point;
  point.name = row.text("name"), point.family = row.text("family");
  if (point.family.empty()) point.family = point.name.substr(0, point.name.find('/'));
  const auto small = [&](const char* column) {
    return static_cast<int>(std::min(row.number(column).value_or(0), 1e9));
  };
  point.threads = std::max(1, small("threads")), point.fma = row.text("fma") != "0";
  auto& operations = point.counts.operations;
  operations = {row.count("add"), row.count("mul"), row.count("fma_instructions"), row.count("div")};
  if (const auto flops = row.count("flops"); operations.flops() != flops) {
    operations = {flops % 2, 0, flops / 2, 0};
    point.counts.kinds_known = false;
  }
  point.declared_flops = operations.flops();
  point.counts.operations_source = point.counts.traffic_source = Source::imported;
  point.counts.traffic_note = row.text("bytes_note");
  for (const auto level : memory_levels) {
    const std::string suffix = "_" + std::string(name(level));
    if (const auto bytes = row.number("bytes" + suffix)) {
      const double written = std::min(row.number("written" + suffix).value_or(0), *bytes);
      point.counts.at(level) = Traffic{*bytes - written, written};
    }
  }
  const bool bound = !row.text("time_bound").empty();
  const std::string time = bound ? "time_bound" : "time_median", ends = bound ? "time_bound" : "time_ci";
  point.time.median = row.number(time).value_or(0);
  point.time.low = row.number(ends + "_low").value_or(point.time.median);
  point.time.high = row.number(ends + "_high").value_or(point.time.median);
  if (bound) point.bound_by = row.text("time_bound_by").empty() ? "unknown" : row.text("time_bound_by");
  return point;
}

}  // namespace

Results parse_run_csv(const std::string& text, const std::string& origin) {
  const auto csv = parse_csv(text);
  if (!csv.complete) throw FileError(origin + ": a quoted field is not closed: cut short?");
  if (csv.records.empty()) throw FileError(origin + ": is empty");
  std::map<std::string, std::size_t> columns;
  const auto& header = csv.records.front();
  for (std::size_t i = 0; i < header.fields.size(); ++i)
    if (!columns.emplace(header.fields[i], i).second)
      throw FileError(fmt::format("{}:{}: column {} occurs twice", origin, header.line, header.fields[i]));
  for (const auto* const column : {"name", "flops"})
    if (!columns.contains(column)) throw FileError(fmt::format("{}:{}: has no column {}", origin, header.line, column));
  Results results;
  results.machine.name = origin;
  for (std::size_t i = 1; i < csv.records.size(); ++i) {
    const auto& record = csv.records[i];
    if (record.fields.size() != header.fields.size())
      throw FileError(fmt::format("{}:{}: {} fields, the header has {}", origin, record.line, record.fields.size(),
                                  header.fields.size()));
    results.points.push_back(point_of(CsvRow(record, columns, origin)));
  }
  conclude(results);
  return results;
}

}  // namespace roofline
