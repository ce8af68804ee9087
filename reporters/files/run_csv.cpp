#include <fmt/format.h>

#include <set>

#include "bench/result/assess.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "reporters/files/files.hpp"

namespace roofline {
namespace {

/// One record by the names of its columns.
struct CsvRow {
  const ForeignTable& table;
  const CsvRecord& record;

  std::string text(const std::string& column) const { return table.text(record, column); }
  std::optional<double> number(const std::string& column) const { return table.number(record, column); }
  std::uint64_t count(const std::string& column) const {
    const double value = number(column).value_or(0);
    if (value > 9e18) table.fail(record.line, column + ": too large");
    return static_cast<std::uint64_t>(value);
  }
};

KernelPoint point_of_row(const CsvRow& row) {
  KernelPoint point;
  point.name = row.text("name"), point.family = row.text("family");
  if (point.family.empty()) point.family = point.name.substr(0, point.name.find('/'));
  const auto small = [&](const char* column) {
    return static_cast<int>(std::min(row.number(column).value_or(0), 1e9));
  };
  point.threads = std::max(1, small("threads")), point.fma = row.text("fma") != "0";
  auto& operations = point.counts.operations;
  operations = {row.count("add"), row.count("mul"), row.count("fma_instructions"), row.count("div")};
  const auto flops = row.count("flops");
  // The one kind without a column, where all the others have one.
  if (row.table.has("fma_instructions") && row.table.has("div") && operations.flops() > 0 && flops > operations.flops())
    operations.sqrt = flops - operations.flops();
  if (operations.flops() != flops) {
    operations = {flops % 2, 0, flops / 2, 0};
    point.counts.kinds_known = false;
  }
  point.declared_flops = operations.flops();
  point.counts.operations_source = point.counts.traffic_source = Source::imported;
  point.counts.traffic_note = row.text("bytes_note");
  if (row.table.has("precision")) point.counts.precision = row.text("precision");
  for (const auto level : memory_levels) {
    const std::string suffix = "_" + std::string(name(level));
    if (const auto bytes = row.number("bytes" + suffix)) {
      const double written = std::min(row.number("written" + suffix).value_or(0), *bytes);
      point.counts.at(level) = Traffic{*bytes - written, written};
    }
    const auto low = row.number("bytes" + suffix + "_low"), high = row.number("bytes" + suffix + "_high");
    if (low && high) point.counts.range[static_cast<std::size_t>(level)] = Span{*low, *high};
  }
  auto& counts = point.counts;
  counts.streamed = row.number("bytes_DRAM_streamed"), counts.unpaired = row.number("bytes_DRAM_unpaired");
  counts.split = row.number("bytes_L1_split"), counts.gathered = row.number("bytes_L1_gathered");
  counts.regions = row.number("regions"), point.in_core = row.number("time_in_core").value_or(0);
  point.clock = row.number("clock_hz").value_or(0), point.watts = row.number("power_watt").value_or(0);
  point.joules = row.number("energy_joule").value_or(0);
  const bool bound = !row.text("time_bound").empty();
  const std::string time = bound ? "time_bound" : "time_median", ends = bound ? "time_bound" : "time_ci";
  point.time.median = row.number(time).value_or(0);
  point.time.low = row.number(ends + "_low").value_or(point.time.median);
  point.time.high = row.number(ends + "_high").value_or(point.time.median);
  if (bound) point.bound_by = resource_of(row.text("time_bound_by")).value_or(Resource());
  return point;
}

}  // namespace

Results parse_run_csv(const std::string& text, const std::string& origin) {
  auto table = ForeignTable::one(text, origin, {"name", "flops"}, {});
  const std::set<std::string> words{"name",       "family", "flops_source", "bytes_source",
                                    "bytes_note", "bound",  "bound_mix"};
  for (const auto& column : table.columns)
    if (!words.contains(column)) table.see(column);
  Results results;
  results.machine.name = origin;
  for (const auto& row : table.rows) results.points.push_back(point_of_row({table, row}));
  assess(results);
  return results;
}

}  // namespace roofline
