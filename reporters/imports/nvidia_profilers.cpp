#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "bench/counters/imports/ncu_csv.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/imports/unit.hpp"
#include "bench/text/output.hpp"
#include "reporters/imports/profilers.hpp"

namespace roofline {
namespace {

constexpr double transaction = 32;   // bytes
constexpr double same_count = 1e-3;  // averages are printed with few digits

using NvprofMetrics = std::map<std::string, double>;

ImportedKernel kernel_of_metrics(const std::string& name, const NvprofMetrics& metrics, std::set<std::string>& notes) {
  ImportedKernel kernel{.name = name};
  for (const auto& [precision, letters] :
       std::map<std::string, std::string>{{"fp64", "dp"}, {"fp32", "sp"}, {"fp16", "hp"}}) {
    const auto metric = "flop_count_" + letters;
    std::map<std::string, double> parts;
    for (const auto* const kind : {"_add", "_mul", "_fma"})
      if (const auto part = metrics.find(metric + kind); part != metrics.end()) parts[kind] = part->second;
    const auto found = parts.size();
    const auto kinds = ImportedFlops::kinds_of(parts["_add"], parts["_mul"], parts["_fma"]);
    const auto total = metrics.find(metric);
    if (total != metrics.end()) kernel.flops[precision] = total->second;
    const auto told = static_cast<double>(kinds.flops());
    if (found == 3 && (total == metrics.end() || std::abs(told - total->second) <= same_count * total->second))
      kernel.flops[precision] = kinds;
    else if (found == 3)
      notes.insert(
          fmt::format("{}: {} is not the sum of its add, mul and twice its fma: its kinds are left out", name, metric));
    else if (found > 0 && total == metrics.end())
      notes.insert(fmt::format("{}: {} FLOPs are not known: flop_count_{} or all of its add, mul and fma are needed",
                               name, precision, letters));
  }
  const auto value = [&](const std::string& metric) {
    const auto found = metrics.find(metric);
    return found == metrics.end() ? std::nullopt : std::optional(found->second);
  };
  const auto put = [&](MemoryLevel level, const Recipe& recipe) {
    if (const auto traffic = recipe.of(value)) kernel.bytes.emplace(level, *traffic);
  };
  put(MemoryLevel::L1, {transaction,
                        {"gld_transactions"},
                        {"gst_transactions"},
                        {"local_load_transactions", "shared_load_transactions"},
                        {"local_store_transactions", "shared_store_transactions", "atomic_transactions"}});
  put(MemoryLevel::L2, {transaction, {"l2_read_transactions"}, {"l2_write_transactions"}});
  put(MemoryLevel::DRAM, {transaction, {"dram_read_transactions"}, {"dram_write_transactions"}});
  put(MemoryLevel::sysmem, {transaction, {"system_read_transactions"}, {"system_write_transactions"}});
  put(MemoryLevel::DRAM, {1, {"dram_read_bytes"}, {"dram_write_bytes"}});
  put(MemoryLevel::sysmem, {1, {"system_read_bytes"}, {"system_write_bytes"}});
  const auto rate = [&](MemoryLevel level, const char* read, const char* written) {
    if (value(read) && value(written)) kernel.rates[level] = {*value(read), *value(written)};
  };
  rate(MemoryLevel::DRAM, "dram_read_throughput", "dram_write_throughput");
  rate(MemoryLevel::L2, "l2_read_throughput", "l2_write_throughput");
  rate(MemoryLevel::L1, "gld_throughput", "gst_throughput");
  rate(MemoryLevel::sysmem, "sysmem_read_throughput", "sysmem_write_throughput");
  return kernel;
}

bool is_counted(const std::string& metric) {
  return metric.find("_transactions") != metric.npos || metric.starts_with("flop_count_") ||
         metric.ends_with("_read_bytes") || metric.ends_with("_write_bytes");
}
/// "600.000000GB/s"
bool is_rate(const std::string& metric) { return metric.ends_with("_throughput"); }

/// Removes the unit from the cell of a rate and returns the unit in B/s.
double take_unit(const ForeignTable& table, CsvRecord& row, std::size_t column) {
  auto& cell = row.fields[column];
  const auto at = std::min(cell.find_last_of("0123456789") + 1, cell.size());
  const auto unit = unit_named(cell.substr(at));
  if (!unit || unit->of != "byte/second")
    table.fail(row.line, fmt::format("'{}' has no unit of bandwidth", clean(cell.substr(0, 40))));
  cell.resize(at);
  return unit->factor;
}

/// `run`: which of the runs that wrote tables to the file.
void read_metrics(ForeignTable& table, std::vector<ImportedKernel>& kernels, std::vector<std::string>& warnings,
                  const std::string& origin, std::size_t run) {
  std::map<std::pair<std::string, std::string>, NvprofMetrics> by_kernel;
  std::vector<std::pair<std::string, std::string>> order;
  std::set<std::string> unequal;
  const auto average = *table.column("Avg");
  std::map<int, double> factors;  // by line
  for (auto& row : table.rows)
    if (is_rate(table.text(row, "Metric Name"))) factors[row.line] = take_unit(table, row, average);
  const auto each = [&](auto visit) {
    for (const auto& row : table.rows)
      if (const auto metric = table.text(row, "Metric Name"); is_counted(metric) || is_rate(metric)) visit(row, metric);
  };
  each([&](const CsvRecord& row, const std::string& metric) { table.see(row, average, !is_rate(metric)); });
  each([&](const CsvRecord& row, const std::string& metric) {
    auto value = table.number(row, average, !is_rate(metric));
    if (!value) return;
    if (is_rate(metric)) *value *= factors.at(row.line);
    const std::pair key{table.text(row, "Device"), without_parameters(table.text(row, "Kernel"))};
    if (!by_kernel.contains(key)) order.push_back(key);
    if (!by_kernel[key].emplace(metric, *value).second)
      table.fail(row.line, fmt::format("the file has {} of {} twice", clean(metric), clean(key.second)));
    if (!is_rate(metric) && table.text(row, "Min") != table.text(row, "Max")) unequal.insert(key.second);
  });
  std::set<std::string> notes;
  for (const auto& key : order) {
    kernels.push_back(kernel_of_metrics(key.second, by_kernel[key], notes));
    kernels.back().device = key.first;
    kernels.back().process = fmt::format("{}", run);
  }
  for (const auto& note : notes) warnings.push_back(origin + ": " + note);
  for (const auto& kernel : unequal)
    warnings.push_back(
        fmt::format("{}: {}: its launches do different work, and nvprof has only their average", origin, kernel));
}

/// Reads the times of the summary, or of the trace of every launch. The second row has the units.
void read_times(ForeignTable& table, const char* column, std::vector<ImportedKernel>& kernels, std::size_t run) {
  if (table.rows.empty()) return;
  const auto unit_text = table.text(table.rows.front(), column);
  const auto unit = unit_named(unit_text);
  if (!table.text(table.rows.front(), "Name").empty() || !unit || unit->of != "second")
    table.fail(table.rows.front().line, fmt::format("{}: '{}' is not a unit of time", column, clean(unit_text)));
  table.rows.erase(table.rows.begin());
  table.see(column);
  for (const auto& row : table.rows) {
    auto name = table.text(row, "Name");
    const bool is_activity = !table.has("Type") || table.text(row, "Type") == "GPU activities";
    if (!is_activity || name.starts_with("[CUDA mem")) continue;
    if (const auto number = name.rfind(" ["); number != name.npos && name.ends_with("]")) name.resize(number);
    if (const auto value = table.number(row, column); value && *value > 0)
      kernels.push_back({.name = without_parameters(name),
                         .device = table.text(row, "Device"),
                         .process = fmt::format("{}", run),
                         .seconds = {*value * unit->factor}});
  }
}

constexpr double bytes_of_sector = 32;

/// The recipes of NERSC: newer ones count bytes, those for CUDA 10 sectors.
const std::vector<std::pair<MemoryLevel, Recipe>>& recipes() {
  const std::string global = "l1tex__t_sectors_pipe_lsu_mem_global_op_",
                    local = "l1tex__t_sectors_pipe_lsu_mem_local_op_",
                    shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_", sets = "l1tex__t_set_accesses_pipe_",
                    l2 = "lts__t_sectors_op_";
  static const std::vector<std::pair<MemoryLevel, Recipe>> all{
      {MemoryLevel::DRAM, {1, {"dram__bytes.sum"}, {}}},
      {MemoryLevel::DRAM, {bytes_of_sector, {"dram__sectors_read.sum"}, {"dram__sectors_write.sum"}}},
      {MemoryLevel::L2, {1, {"lts__t_bytes.sum"}, {}}},
      {MemoryLevel::L2,
       {bytes_of_sector, {l2 + "read.sum"}, {l2 + "write.sum"}, {}, {l2 + "atom.sum", l2 + "red.sum"}}},
      {MemoryLevel::L1, {1, {"l1tex__t_bytes.sum"}, {}}},
      {MemoryLevel::L1,
       {bytes_of_sector,
        {global + "ld.sum"},
        {global + "st.sum"},
        {local + "ld.sum", shared + "ld.sum"},
        {local + "st.sum", shared + "st.sum", sets + "lsu_mem_global_op_atom.sum", sets + "lsu_mem_global_op_red.sum",
         sets + "tex_mem_surface_op_atom.sum", sets + "tex_mem_surface_op_red.sum"}}},
  };
  return all;
}

ImportedKernel kernel_of(const NcuLaunch& launch, std::set<std::string>& notes, const std::string& name) {
  ImportedKernel kernel{.name = name, .shape = launch.shape, .device = launch.device, .process = launch.process};
  const auto counts = translate(launch.metrics());
  if (const auto seconds = launch.seconds(); seconds && *seconds > 0) kernel.seconds = {*seconds};
  const auto flops = [&](const char* precision, const std::optional<Operations>& operations, char letter) {
    if (operations) return void(kernel.flops[precision] = *operations);
    for (const auto* const part : {"add", "mul", "fma"})
      if (launch[fmt::format("smsp__sass_thread_inst_executed_op_{}{}_pred_on.sum", letter, part)])
        notes.insert(fmt::format("{}: {} FLOPs are not known: add, mul and fma are needed, and one is missing", name,
                                 precision));
  };
  flops("fp64", counts.fp64, 'd'), flops("fp32", counts.fp32, 'f'), flops("fp16", counts.fp16, 'h');
  if (launch.uses_tensors()) {
    constexpr double flops_of_volta = 512;  // of m8n8k4, for each instruction of a warp
    const auto tensor = counts.tensor_instructions;
    const bool known = tensor && *tensor > 0 && launch.capability.starts_with("7.0");
    if (known) kernel.flops["tensor"] = flops_of_volta * *tensor;
    notes.insert(fmt::format("{}: has tensor instructions: {}", name,
                             known ? "taken for 512 FLOP each, as on Volta" : "their FLOPs are not counted"));
  }
  const auto put = [&](MemoryLevel level, const std::optional<Traffic>& traffic) {
    if (traffic) kernel.bytes.emplace(level, *traffic);
  };
  put(MemoryLevel::DRAM, counts.dram), put(MemoryLevel::L2, counts.l2);
  put(MemoryLevel::L1, counts.l1);
  for (const auto& [level, sum] : recipes()) put(level, sum.of([&](const std::string& name) { return launch[name]; }));
  if (!kernel.bytes.contains(MemoryLevel::DRAM) && (launch["dram__bytes_read.sum"] || launch["dram__bytes_write.sum"]))
    notes.insert(name + ": bytes of DRAM are not known, because reads or writes were not collected");
  return kernel;
}

}  // namespace

Results parse_nvprof(const std::string& text, const std::string& origin, const InputOptions& options) {
  std::vector<std::string> warnings;
  std::vector<ImportedKernel> kernels;
  const ForeignTable::Rules rules{options.decimal, {}, &warnings};
  const auto each = [&](const std::vector<std::string>& columns, auto read) {
    std::size_t run = 0;
    for (auto& table : ForeignTable::find(text, origin, columns, rules)) read(table, run++);
  };
  each({"Kernel", "Metric Name", "Avg"},
       [&](auto& table, std::size_t run) { read_metrics(table, kernels, warnings, origin, run); });
  each({"Avg", "Calls", "Name"}, [&](auto& table, std::size_t run) { read_times(table, "Avg", kernels, run); });
  each({"Start", "Duration", "Name"},
       [&](auto& table, std::size_t run) { read_times(table, "Duration", kernels, run); });
  if (kernels.empty()) throw FileError(origin + ": no kernel in nvprof's output, which is read as CSV: nvprof --csv");
  return results_of(kernels, origin, std::move(warnings), "dram_read_transactions and dram_write_transactions");
}

Results parse_ncu_kernels(const std::string& text, const std::string& origin, const InputOptions& options) {
  std::vector<std::string> warnings;
  std::vector<ImportedKernel> kernels;
  std::set<std::string> notes;
  for (const auto& launch : read_ncu(text, origin, options.decimal, warnings))
    kernels.push_back(kernel_of(launch, notes, without_parameters(launch.kernel)));
  return results_of(kernels, origin, std::move(warnings), "dram__bytes_read.sum and dram__bytes_write.sum", notes);
}

}  // namespace roofline
