#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include "bench/model/assessment.hpp"
#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "reporters/files/files.hpp"
#include "reporters/files/imported.hpp"

namespace roofline {
namespace {

/// The columns of a point, which are written and read: `io(name, value)` visits one that a reader puts back,
/// `io.derived(name, value)` one that follows from others.
template <class Io, class Point>
void columns(Io& io, Point& p) {
  constexpr bool reads = !std::is_const_v<Point>;
  const auto times = [&](const std::string& name, const std::string& ends, bool bound) {
    std::optional<double> median, low, high;
    if (p.is_bound() == bound && !p.rate_only && p.time.median > 0)
      median = p.time.median, low = p.time.low, high = p.time.high;
    io(name, median), io(ends + "_low", low), io(ends + "_high", high);
    if constexpr (reads)
      if (median) p.time = {*median, low.value_or(*median), high.value_or(*median)};
  };
  const auto judged = [&](const std::string& suffix, const std::optional<Judgement>& judgement) {
    const auto j = judgement.value_or(Judgement{{}, std::nan(""), {}, {}, {}});
    io.derived("attainable" + suffix, j.attainable);
    io.derived("bound" + suffix, judgement ? std::string(name(j.bound)) : "");
    io.derived("efficiency" + suffix, j.efficiency);
  };
  auto& counts = p.counts;
  auto& operations = counts.operations;
  io("name", p.name), io("family", p.family), io("threads", p.threads), io("fma", p.fma);
  io.derived("samples", p.samples.size()), io.derived("rounds", p.rounds());
  times("time_median", "time_ci", false);
  io.derived("time_min", p.samples.empty() ? std::nan("") : p.least_seconds());
  io("time_in_core", p.in_core), io("clock_hz", p.clock), io("power_watt", p.watts), io("energy_joule", p.joules);
  auto flops = operations.flops();
  const bool kinds = counts.kinds_known;
  const bool counted = kinds || flops > 0;  // a file may not say the FLOPs
  std::optional<double> rate;
  if (counted) rate = p.flop_rate();
  io.derived("FLOP/J", p.watts > 0 ? static_cast<double>(flops) / p.joules : std::nan(""));
  io("precision", counts.precision);
  io.only(!p.rate_only && counted, "flops", flops);
  io.only(p.rate_only, "FLOP/s", rate);
  if constexpr (reads)
    if (p.rate_only) flops = static_cast<std::uint64_t>(std::llround(std::min(*rate, 9e18))), p.time = {1, 1, 1};
  io.only(kinds, "add", operations.add), io.only(kinds, "mul", operations.mul);
  io.only(kinds, "fma_instructions", operations.fma), io.only(kinds, "div", operations.div);
  io.derived("fma_fraction", kinds ? operations.fma_fraction() : std::nan(""));
  io.derived("flops_source", std::string(name(counts.operations_source)));
  std::string account(name(counts.account));
  io("flop_account", account);
  if constexpr (reads)
    for (const auto known : {FlopAccount::canonical, FlopAccount::counted, FlopAccount::expanded})
      if (account == name(known)) counts.account = known;
  for (const auto level : memory_levels) {
    const std::string suffix = "_" + std::string(name(level)), bytes_key = "bytes" + suffix;
    auto& traffic = counts.at(level);
    auto& range = counts.range[static_cast<std::size_t>(level)];
    std::optional<double> bytes, written, low, high, intensity;
    if (counted) intensity = counts.intensity(level);
    if (traffic && !p.rate_only) bytes = traffic->total(), written = traffic->written;
    if (range) low = range->low, high = range->high;
    io(bytes_key, bytes), io("written" + suffix, written), io(bytes_key + "_low", low), io(bytes_key + "_high", high);
    io.only(p.rate_only, "AI" + suffix, intensity);
    if constexpr (reads) {
      if (p.rate_only && intensity && *intensity > 0) bytes = static_cast<double>(flops) / *intensity;
      written = std::min(written.value_or(0), bytes.value_or(0));
      if (bytes) traffic = Traffic{*bytes - *written, *written};
      if (low && high) range = Span{*low, *high};
    }
  }
  io("bytes_DRAM_streamed", counts.streamed), io("bytes_DRAM_unpaired", counts.unpaired);
  io("bytes_L1_split", counts.split), io("bytes_L1_gathered", counts.gathered), io("regions", counts.regions);
  io.derived("bytes_source", counts.traffic_label()), io("bytes_note", counts.traffic_note);
  const auto& roof = p.assessment.roof;
  judged("", roof);
  const auto range = roof && roof->range ? roof->range : std::nullopt;
  io.derived("efficiency_low", range ? range->low : std::nan(""));
  io.derived("efficiency_high", range ? range->high : std::nan(""));
  io.derived("resolved", range ? std::optional<double>(roof->resolved()) : std::nullopt);
  judged("_mix", p.assessment.mix);
  times("time_bound", "time_bound", true);
  io.derived("time_bound_by", p.bound_by ? std::string(name(*p.bound_by)) : "");
  if constexpr (reads) p.declared_flops = flops;
}

/// A line of the names, and one of a point.
struct CsvRow {
  std::string names, values;

  /// A plain number of 0 is unknown.
  template <class T>
  void operator()(const std::string& name, const T& value) {
    if constexpr (std::is_same_v<T, double>)
      derived(name, value > 0 ? value : std::nan(""));
    else
      derived(name, value);
  }
  /// The value is written back for points for which `stored` holds. Others have a made-up amount of one second or
  /// unknown kinds, so the field stays empty. A rate is written for all.
  template <class T>
  void only(bool stored, const std::string& name, const T& value) {
    if constexpr (std::is_integral_v<T>)
      stored ? derived(name, value) : derived(name, std::string());
    else
      derived(name, value);
  }
  template <class T>
  void derived(const std::string& name, const T& value) {
    const auto* const comma = names.empty() ? "" : ",";
    names += comma + name, values += comma + text(value);
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

  void operator()(const std::string& name, std::string& value) const {
    if (table.has(name)) value = table.text(record, name);
  }
  template <class T>
  void operator()(const std::string& name, T& value) const {
    const auto number = table.number(record, name);
    if (number && std::is_integral_v<T> && !(*number >= 0 && *number <= (sizeof(T) < 8 ? 1e9 : 9e18)))
      table.fail(record.line, name + ": too large");
    if (number) value = static_cast<T>(*number);
  }
  template <class T>
  void only(bool stored, const std::string& name, T& value) const {
    if (stored) (*this)(name, value);
  }
  template <class T>
  void derived(const std::string&, const T&) const {}

  KernelPoint point() const {
    KernelPoint point;
    point.rate_only = table.text(record, "flops").empty() && table.number(record, "FLOP/s").has_value();
    // Our own files always said the canonical account.
    if (!table.has("flops_source")) point.counts.account = FlopAccount::counted;
    columns(*this, point);
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
  columns(header, none);
  auto text = header.names + "\n";
  for (const auto& point : results.points) {
    CsvRow row;
    columns(row, point);
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
