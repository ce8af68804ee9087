#include "bench/counters/ncu_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "bench/text/csv.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

[[noreturn]] void fail(const std::string& file, int line, const std::string& what) {
  throw FileError(fmt::format("{}:{}: {}", file, line, what));
}

/// What a metric's name stands for; absent for metrics that are not used.
std::optional<Quantity> quantity_of(std::string_view name) {
  for (const auto& metric : metrics())
    if (std::find(metric.names.begin(), metric.names.end(), name) != metric.names.end()) return metric.quantity;
  return std::nullopt;
}

/// Factor from a unit of ncu to the unit that CUPTI has for the same metric: bytes, nanoseconds, counts. Absent for a
/// unit that is not known: no reason to take it for 1.
std::optional<double> factor(std::string unit) {
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
  static const std::map<std::string, double> known{
      {"", 1},         {"byte", 1},      {"kbyte", 1e3},     {"mbyte", 1e6},  {"gbyte", 1e9},
      {"tbyte", 1e12}, {"b", 1},         {"nsecond", 1},     {"ns", 1},       {"usecond", 1e3},
      {"us", 1e3},     {"msecond", 1e6}, {"ms", 1e6},        {"second", 1e9}, {"s", 1e9},
      {"inst", 1},     {"thread", 1},    {"thread inst", 1}, {"sector", 1},   {"request", 1},
      {"cycle", 1},    {"ksector", 1e3}, {"branch", 1},      {"branches", 1}, {"instruction", 1},
      {"block", 1},    {"wavefront", 1}, {"threads", 1}};
  const auto found = known.find(unit);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

/// Digits, in groups of three where commas separate them, perhaps a fraction and an exponent. Another language's
/// "1.234,5" is none: taken for one, it would be wrong by a factor of a thousand.
bool is_number(std::string_view cell) {
  const auto digits = [&] {
    const auto n = std::min(cell.find_first_not_of("0123456789"), cell.size());
    cell.remove_prefix(n);
    return n;
  };
  auto group = digits();
  if (group == 0) return false;
  while (group <= 3 && cell.starts_with(',')) {
    cell.remove_prefix(1);
    if (digits() != 3) return false;
  }
  if (cell.starts_with('.') && (cell.remove_prefix(1), digits() == 0)) return false;
  if (cell.starts_with('e') || cell.starts_with('E')) {
    cell.remove_prefix(1);
    if (cell.starts_with('+') || cell.starts_with('-')) cell.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return cell.empty();
}

/// A value with or without thousands separators; absent for "n/a" and an empty cell.
std::optional<double> value(std::string cell, const std::string& metric, const auto& refuse) {
  if (cell.empty() || cell == "n/a" || cell == "N/A") return std::nullopt;
  const auto shown = cell.substr(0, 40);
  if (!is_number(cell))
    refuse(fmt::format("'{}' is no count (digits, with commas between thousands; metric {})", shown, metric));
  std::erase(cell, ',');
  double number = 0;
  if (std::from_chars(cell.data(), cell.data() + cell.size(), number).ec != std::errc{} || number > 1e30)
    refuse(fmt::format("'{}' is out of range (metric {})", shown, metric));
  return number;
}

/// The row of a kernel: ncu puts the range's name before the kernel's own, as in "gpp/nw:2/void run_kernel<...>(T1)".
/// Names of rows have none of the characters that a C++ signature has.
std::string row_of(const std::string& kernel) {
  const auto signature = kernel.find_first_of(" (<");
  const auto slash = signature == std::string::npos ? signature : kernel.rfind('/', signature);
  return slash == std::string::npos ? kernel : kernel.substr(0, slash);
}

class Importer {
 public:
  Importer(const std::string& file) : file_(file) {}

  /// The value in field `column` (from 0) of a record.
  void add(const std::string& kernel, const std::string& metric, const std::string& unit, const CsvRecord& row,
           std::size_t column) {
    const auto quantity = quantity_of(metric);
    if (!quantity) return;
    const int line = row.line;
    const auto refuse = [&](const std::string& why) {
      fail(file_, line, fmt::format("field {}: {}", column + 1, why));
    };
    const auto number = value(row.fields[column], metric, refuse);
    if (!number) return;
    const auto scale = factor(unit);
    if (!scale) fail(file_, line, fmt::format("unit '{}' of {} is not known", unit, metric));
    sums_[row_of(kernel)][*quantity] += *number * *scale;
  }
  ImportedCounters counters() const {
    ImportedCounters result;
    for (const auto& [kernel, sums] : sums_)
      for (const auto& [quantity, sum] : sums) result[kernel].set(quantity, sum);
    return result;
  }

 private:
  const std::string& file_;
  std::map<std::string, std::map<Quantity, double>> sums_;
};

std::optional<std::size_t> column(const CsvRecord& header, const std::string& name) {
  const auto found = std::find(header.fields.begin(), header.fields.end(), name);
  if (found == header.fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.fields.begin());
}

/// A list without blanks, a line for each of its items. The shell joins them, as nothing stands before an item.
std::string shell_lines(const std::string& list) {
  std::string lines;
  for (const char c : list) {
    lines += c;
    if (c == ',') lines += "\\\n";
  }
  return lines;
}

}  // namespace

ImportedCounters parse_ncu_csv(const std::string& text, const std::string& file) {
  const auto csv = parse_csv(text);
  const auto is_header = [](const CsvRecord& r) { return column(r, "ID") && column(r, "Kernel Name"); };
  const auto header = std::find_if(csv.records.begin(), csv.records.end(), is_header);
  if (header == csv.records.end())
    throw FileError(fmt::format("{}: no row with ID and Kernel Name: not the output of ncu --csv", file));
  if (!csv.complete) fail(file, csv.records.back().line, "a quote is not closed: the file was cut short");
  const auto kernel = *column(*header, "Kernel Name");
  const auto name = column(*header, "Metric Name"), unit = column(*header, "Metric Unit"),
             cell = column(*header, "Metric Value");
  const bool is_long = name && unit && cell;
  if (!is_long && header + 1 == csv.records.end()) fail(file, header->line, "the row of units is missing");
  const CsvRecord* const units = is_long ? nullptr : &header[1];

  if (!is_long) {
    std::set<std::string> seen;
    for (const auto& metric : header->fields)
      if (quantity_of(metric) && !seen.insert(metric).second) fail(file, header->line, metric + " has two columns");
  }
  Importer importer(file);
  for (auto row = header + (is_long ? 1 : 2); row < csv.records.end(); ++row) {
    if (row->fields.front().rfind("==", 0) == 0) continue;  // ncu's own messages
    // Newer versions leave out trailing columns of rules.
    const bool short_row = is_long ? row->fields.size() <= *cell : row->fields.size() != header->fields.size();
    if (short_row)
      fail(file, row->line, fmt::format("{} columns, the header has {}", row->fields.size(), header->fields.size()));
    if (is_long) {
      importer.add(row->fields[kernel], row->fields[*name], row->fields[*unit], *row, *cell);
      continue;
    }
    for (std::size_t c = 0; c < row->fields.size(); ++c)
      importer.add(row->fields[kernel], header->fields[c], c < units->fields.size() ? units->fields[c] : "", *row, c);
  }
  auto counters = importer.counters();
  if (counters.empty())
    throw FileError(fmt::format("{}: none of the metrics that are used; collect them with ncu --metrics {},...", file,
                                metrics().front().names.front()));
  return counters;
}

std::string ncu_metrics(const std::vector<ChosenMetric>& of_chip) {
  using enum Quantity;
  std::string list;
  const auto add = [&](std::string_view name) { list += (list.empty() ? "" : ",") + std::string(name); };
  for (const auto& metric : of_chip) add(metric.name);
  if (!of_chip.empty()) return list;
  for (const auto& metric : metrics())
    if (metric.quantity != fp32_add2 && metric.quantity != fp32_mul2 && metric.quantity != fp32_fma2)
      add(metric.names.front());
  return list;
}

std::string describe_counters(const std::vector<ChosenMetric>& of_chip) {
  return fmt::format(R"(Counters of a run on an NVIDIA GPU (--counters=auto, cupti)

One launch of each row is repeated after it has been timed, once per pass: instrumented code, then
hardware counters. The first name that a chip has is used. Before the first row, kernels of known
FLOPs and bytes are counted (a copy, FMA chains, a strided read, integers): a metric that is wrong
there is not used, named in the warnings, and the level's bytes are modelled and labelled so.

{}
Bytes of L1 are 32 B per sector of global and local loads, stores, atomics; of L2 32 B per sector
that L1 asks for; of DRAM as counted. FLOPs of a row are the declared ones; counted ones are
flops_counted_*.

Where CUPTI cannot be used and Nsight Compute can, --counters=FILE.csv takes what this command
prints: one launch of each row under the row's name, kernels of one name are added up.

ncu --profile-from-start off --nvtx --print-nvtx-rename kernel --clock-control none \
  --cache-control none --replay-mode application --print-units base --csv --page raw \
  --metrics \
{} \
  roofline_bench --one-process --counters=none --ceilings=none > FILE.csv
)",
                     describe_metrics(), shell_lines(ncu_metrics(of_chip)));
}

}  // namespace roofline
