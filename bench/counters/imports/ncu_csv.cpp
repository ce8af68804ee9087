#include "bench/counters/imports/ncu_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "bench/text/clean.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/imports/unit.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

constexpr double nanosecond = 1e-9;

/// The meaning of a metric's name; absent for metrics that are not used.
std::optional<Quantity> quantity_of(std::string_view name) {
  for (const auto& metric : metrics())
    if (std::find(metric.names.begin(), metric.names.end(), name) != metric.names.end()) return metric.quantity;
  return std::nullopt;
}

/// Instructions or operations of tensor units, in any of the names of which a version has dozens.
bool is_of_tensors(std::string_view name) {
  const bool peak = name.find("peak") != name.npos && name.find("pct_of_peak") == name.npos;
  return !peak && (name.find("pipe_tensor") != name.npos || name.find("path_tensor") != name.npos);
}

/// Metrics of the recipes for rooflines, besides those that this program collects.
bool is_used(std::string_view name) {
  if (is_of_tensors(name)) return true;
  for (const auto* const unit :
       {"dram__bytes", "dram__sectors", "lts__t_bytes", "lts__t_sectors", "l1tex__t_bytes", "l1tex__t_sectors_pipe",
        "l1tex__t_set_accesses", "l1tex__data_pipe_lsu_wavefronts_mem", "sm__cycles_elapsed", "smsp__cycles_elapsed",
        "gpu__time_duration", "fbpa__dram_", "smsp__sass_", "lts__cycles_elapsed", "dram__cycles_elapsed",
        "l1tex__cycles_elapsed"})
    if (name.starts_with(unit)) return name.find("pct") == name.npos && name.find("peak") == name.npos;
  return quantity_of(name).has_value();
}

/// A metric under its usual name, and what its value is to be divided by. Recipes count on the whole SM, others on its
/// parts; the sum is the same. The tool's own roofline has "derived__METRIC_x2", a rate per cycle, or a sum, multiplied
/// by the FLOPs of an instruction.
struct UsualMetric {
  std::string name;
  double multiple = 1;
};
UsualMetric usual_metric(std::string name, const std::string& unit) {
  UsualMetric usual{std::move(name), 1};
  for (const auto& found : matches("^derived__(.*)_x([0-9]+)$", usual.name)) {
    const bool per_cycle = unit.find("cycle") != unit.npos || unit.empty();
    usual = {found.groups[1] + (per_cycle ? ".sum.per_cycle_elapsed" : ".sum"), std::atof(found.groups[2].c_str())};
  }
  if (usual.name.starts_with("sm__sass_")) usual.name = "smsp" + usual.name.substr(2);
  return usual;
}

/// Sums of things that have no fractions.
bool is_whole(const std::string& metric, const std::string& unit) {
  const auto known = unit_named(unit);
  return metric.ends_with(".sum") && known && (known->factor == 1 || unit == "nsecond" || unit == "ns") &&
         known->of != "second/second" && unit != "second" && unit != "s";
}

/// The row of a kernel: ncu puts the range's name before the kernel's own, as in "gpp/nw:2/void run_kernel<...>(T1)".
/// Names of rows have none of the characters that a C++ signature has.
std::string row_of(const std::string& kernel) {
  const auto signature = kernel.find_first_of(" (<");
  const auto slash = signature == std::string::npos ? signature : kernel.rfind('/', signature);
  return slash == std::string::npos ? kernel : kernel.substr(0, slash);
}

/// Where the columns of a table stand.
class NcuTable {
 public:
  NcuTable(ForeignTable table, const std::string& file) : table_(std::move(table)), file_(file) {
    name_ = table_.column("Metric Name"), unit_ = table_.column("Metric Unit"), cell_ = table_.column("Metric Value");
    if (is_long()) return;
    if (table_.rows.empty() || !table_.text(table_.rows.front(), "ID").empty())
      table_.fail(table_.rows.empty() ? 1 : table_.rows.front().line, "the row of units is missing");
    units_ = table_.rows.front();
    table_.rows.erase(table_.rows.begin());
  }

  /// `number` counts the tables of the file, each of which was written by a separate run.
  void read(std::vector<NcuLaunch>& launches, std::vector<std::string>& notes, std::size_t number) {
    std::set<std::string> hosts;
    for (const auto& row : table_.rows) hosts.insert(table_.text(row, "Host Name"));
    each([&](const CsvRecord& row, const std::string& metric, const std::string& unit, std::size_t c) {
      table_.see(row, c, is_whole(metric, unit));
    });
    std::map<std::string, std::size_t> by_id;
    each([&](const CsvRecord& row, const std::string& metric, const std::string& unit, std::size_t c) {
      const auto value = table_.number(row, c, is_whole(metric, unit));
      if (!value) return;
      auto known = unit_named(unit);
      if (!known && is_of_tensors(metric)) known = Unit{unit, 1};  // a percentage says that there are some
      if (!known) table_.fail(row.line, fmt::format("unit '{}' of {} is not known", clean(unit), metric));
      std::string id = is_long() ? "" : fmt::format("{}", row.line);
      for (const auto* const part : {"Host Name", "Process ID", "ID", "Device", "Context", "Stream", "Kernel Name"})
        id += "/" + table_.text(row, part);
      const auto [found, is_new] = by_id.emplace(id, launches.size());
      if (is_new) launches.push_back(launch_of(row, number, hosts.size() > 1));
      const auto usual = usual_metric(metric, unit);
      const double amount = *value * known->factor / usual.multiple;
      const auto [before, is_first] = launches[found->second].values.emplace(usual.name, amount);
      // A metric of several sections appears once in each, rounded to the section's unit.
      if (constexpr double rounding = 0.01; !is_first && std::abs(before->second - amount) > rounding * amount)
        table_.fail(row.line, fmt::format("the file has {} of one launch of {} twice, with different values: two runs? "
                                          "One file for each",
                                          clean(metric), clean(table_.text(row, "Kernel Name"))));
    });
    if (const auto guess = table_.guess(); !guess.empty()) notes.push_back(guess);
  }

 private:
  bool is_long() const { return name_ && unit_ && cell_; }
  NcuLaunch launch_of(const CsvRecord& row, std::size_t number, bool several_hosts) const {
    const auto host = table_.text(row, "Host Name"), device = table_.text(row, "Device");
    NcuLaunch launch{.kernel = table_.text(row, "Kernel Name"),
                     .shape = table_.text(row, "Block Size") + table_.text(row, "Grid Size"),
                     .capability = table_.text(row, "CC"),
                     .device = device.empty() ? "" : "device " + device,
                     .process = fmt::format("{}/{}/{}", host, table_.text(row, "Process ID"), number),
                     .values = {}};
    if (several_hosts && !host.empty()) launch.device += launch.device.empty() ? host : " of " + host;
    return launch;
  }
  void each(const auto& visit) const {
    for (const auto& row : table_.rows) {
      if (is_long()) {
        if (is_used(usual_metric(row.fields[*name_], row.fields[*unit_]).name))
          visit(row, row.fields[*name_], row.fields[*unit_], *cell_);
        continue;
      }
      for (std::size_t c = 0; c < table_.columns.size(); ++c)
        if (is_used(usual_metric(table_.columns[c], units_.fields[c]).name))
          visit(row, table_.columns[c], units_.fields[c], c);
    }
  }

  ForeignTable table_;
  const std::string& file_;
  std::optional<std::size_t> name_, unit_, cell_;
  CsvRecord units_;
};

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

std::optional<double> NcuLaunch::operator[](const std::string& metric) const {
  const auto value = [&](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  if (const auto found = value(metric); found || !metric.ends_with(".sum")) return found;
  if (const auto rate = value(metric + ".per_second"); rate && seconds()) return *rate * *seconds();
  const auto rate = value(metric + ".per_cycle_elapsed");
  if (!rate) return std::nullopt;
  const auto unit = metric.substr(0, metric.find("__"));
  for (const auto* const roll_up : {".avg", ".max"})
    if (const auto cycles = value(unit + "__cycles_elapsed" + roll_up)) return *rate * *cycles;
  for (const auto& clocked : {unit, std::string("smsp"), std::string("sm")})
    if (const auto clock = value(clocked + "__cycles_elapsed.avg.per_second"); clock && seconds())
      return *rate * *clock * *seconds();
  return std::nullopt;
}

std::optional<double> NcuLaunch::seconds() const {
  for (const auto* const roll_up : {".sum", ".avg", ".max"})
    if (const auto found = values.find(std::string("gpu__time_duration") + roll_up); found != values.end())
      return found->second;
  for (const auto* const unit : {"sm__cycles_elapsed", "smsp__cycles_elapsed"})
    for (const auto* const roll_up : {".avg", ".max"}) {
      const auto cycles = values.find(std::string(unit) + roll_up),
                 clock = values.find(std::string(unit) + roll_up + ".per_second");
      if (cycles != values.end() && clock != values.end() && clock->second > 0) return cycles->second / clock->second;
    }
  return std::nullopt;
}

bool NcuLaunch::uses_tensors() const {
  return std::any_of(values.begin(), values.end(),
                     [](const auto& metric) { return metric.second > 0 && is_of_tensors(metric.first); });
}

MetricValues NcuLaunch::metrics() const {
  MetricValues result;
  for (const auto& metric : roofline::metrics())
    for (const auto name : metric.names)
      if (const auto value = (*this)[std::string(name)]) {
        // CUPTI's durations, which the table is made for, are nanoseconds.
        result.set(metric.quantity, metric.quantity == Quantity::seconds ? *value / nanosecond : *value);
        break;
      }
  return result;
}

std::vector<NcuLaunch> read_ncu(const std::string& text, const std::string& file, char decimal,
                                std::vector<std::string>& notes) {
  std::vector<NcuLaunch> launches;
  // Newer versions leave out trailing columns of rules on the details page.
  const bool details = mentions(text, {"Metric Value"});
  auto tables = ForeignTable::find(text, file, {"ID", "Kernel Name"}, {decimal, details ? "Metric Value" : "", &notes});
  if (tables.empty())
    throw FileError(
        fmt::format("{}: no row with ID and Kernel Name, so this is not the output of ncu --csv; for CPUs use "
                    "likwid-perfctr -O, perf stat -x, or perf stat -j (without -I)",
                    file));
  for (std::size_t i = 0; i < tables.size(); ++i) NcuTable(std::move(tables[i]), file).read(launches, notes, i);
  if (launches.empty())
    throw FileError(fmt::format("{}: none of the metrics that are used; collect them with ncu --metrics {},...", file,
                                metrics().front().names.front()));
  return launches;
}

ImportedCounters parse_ncu_csv(const std::string& text, const std::string& file) {
  std::vector<std::string> notes;
  std::map<std::string, std::map<Quantity, double>> sums;
  std::map<std::string, std::string> runs;
  for (const auto& launch : read_ncu(text, file, 0, notes)) {
    const auto run = launch.process + launch.device;
    if (runs.emplace(row_of(launch.kernel), run).first->second != run)
      throw FileError(
          fmt::format("{}: {}has several processes, devices or runs, which are not added up; give one file for each",
                      file, clean(launch.kernel)));
    const auto values = launch.metrics();
    for (const auto& metric : metrics())
      if (const auto value = values[metric.quantity])
        sums[row_of(launch.kernel)][metric.quantity] += *value / unit_of(metric.quantity);
  }
  for (const auto& note : notes) complain(note);
  ImportedCounters counters;
  for (const auto& [kernel, all] : sums)
    for (const auto& [quantity, sum] : all) counters[kernel].set(quantity, sum);
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
there is not used and is named in the warnings. The level's bytes are then modelled and labelled so.

{}
Bytes of L1 are 32 B per sector of global and local loads, stores, atomics; of L2 32 B per sector
that L1 asks for; of DRAM as counted. FLOPs of a row are the declared ones; counted ones are
flops_counted_*.

Where CUPTI cannot be used and Nsight Compute can, --counters=FILE.csv takes the output of
this command: one launch of each row under the row's name, kernels of one name are added up.

ncu --profile-from-start off --nvtx --print-nvtx-rename kernel --clock-control none \
  --cache-control none --replay-mode application --print-units base --csv --page raw \
  --metrics \
{} \
  roofline_bench --one-process --counters=none --ceilings=none > FILE.csv
)",
                     describe_metrics(), shell_lines(ncu_metrics(of_chip)));
}

}  // namespace roofline
