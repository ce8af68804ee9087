#include <fmt/format.h>

#include <map>
#include <set>

#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/output.hpp"
#include "reporters/imports/profilers.hpp"

namespace roofline {
namespace {

/// Counters of a dispatch; absent ones are unknown.
struct Dispatch {
  std::string kernel;
  std::map<std::string, double> counters;
  double seconds = 0;

  /// Sum of counters x weights; absent where one is.
  std::optional<double> sum(const std::vector<std::pair<std::string, double>>& terms) const {
    double total = 0;
    for (const auto& [name, weight] : terms) {
      const auto found = counters.find(name);
      if (found == counters.end()) return std::nullopt;
      total += weight * found->second;
    }
    return total;
  }
};

/// FLOPs and bytes as rocprofiler-compute has them for CDNA: a vector instruction is 64 lanes, a count of matrix
/// operations 512 FLOP; requests are of 64 B, some of 32 B, and on MI300 some of 128 B ("bubbles").
ImportedKernel kernel_of_dispatch(const Dispatch& dispatch, std::set<std::string>& notes) {
  constexpr double lanes = 64, of_matrix = 512, line = 64, half = 32;
  ImportedKernel kernel{.name = without_parameters(dispatch.kernel)};
  if (dispatch.seconds > 0) kernel.seconds = {dispatch.seconds};
  for (const auto* const precision : {"F64", "F32", "F16"}) {
    const std::string valu = "SQ_INSTS_VALU_", p = std::string("_") + precision;
    auto flops = dispatch.sum({{valu + "ADD" + p, lanes}, {valu + "MUL" + p, lanes}, {valu + "FMA" + p, 2 * lanes}});
    if (!flops) {
      for (const auto* const part : {"ADD", "MUL", "FMA"})
        if (dispatch.counters.contains(valu + part + p))
          notes.insert(fmt::format("{}: {} FLOPs are not known: ADD, MUL and FMA are needed, and one is missing",
                                   kernel.name, precision));
      continue;
    }
    *flops += dispatch.sum({{valu + "TRANS" + p, lanes}}).value_or(0);
    if (const auto matrix = dispatch.sum({{valu + "MFMA_MOPS" + p, of_matrix}}); matrix && *matrix > 0) {
      *flops += *matrix;
      notes.insert(kernel.name + ": has FLOPs of matrix instructions, which no vector roof bounds");
      kernel.flops["matrix"] = *matrix, *flops -= *matrix;
    }
    kernel.flops[std::string("fp") + (precision + 1)] = *flops;
  }
  const auto put = [&](MemoryLevel level, const std::optional<double>& read, const std::optional<double>& written) {
    if (read && written) kernel.bytes[level] = Traffic{*read, *written};
  };
  for (const std::string fabric : {"TCC_EA_", "TCC_EA0_"}) {
    auto read = dispatch.sum({{fabric + "RDREQ_sum", line}, {fabric + "RDREQ_32B_sum", half - line}});
    if (read) *read += dispatch.sum({{"TCC_BUBBLE_sum", line}}).value_or(0);
    put(MemoryLevel::DRAM, read, dispatch.sum({{fabric + "WRREQ_sum", half}, {fabric + "WRREQ_64B_sum", line - half}}));
  }
  auto stores = dispatch.sum({{"TCP_TCC_WRITE_REQ_sum", line}});
  if (stores)
    for (const auto* const atomic : {"TCP_TCC_ATOMIC_WITH_RET_REQ_sum", "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum"})
      *stores += dispatch.sum({{atomic, line}}).value_or(0);
  put(MemoryLevel::L2, dispatch.sum({{"TCP_TCC_READ_REQ_sum", line}}), stores);
  put(MemoryLevel::L1, dispatch.sum({{"TCP_TOTAL_CACHE_ACCESSES_sum", line}}), 0.0);
  return kernel;
}

std::string first_of(const ForeignTable& table, std::initializer_list<const char*> names) {
  for (const auto* const name : names)
    if (table.has(name)) return name;
  return {};
}

}  // namespace

Results parse_rocprofiler(const std::string& text, const std::string& origin, const InputOptions& options) {
  auto tables = ForeignTable::find(text, origin, {"Kernel_Name"}, {options.decimal, {}});
  if (tables.empty()) tables = ForeignTable::find(text, origin, {"KernelName"}, {options.decimal, {}});
  if (tables.empty()) throw FileError(origin + ": no column Kernel_Name: no dispatches of rocprofiler");
  auto& table = tables.front();
  const auto name = first_of(table, {"Kernel_Name", "KernelName"}),
             begin = first_of(table, {"Start_Timestamp", "BeginNs"}), end = first_of(table, {"End_Timestamp", "EndNs"}),
             id = first_of(table, {"Dispatch_Id", "Dispatch_ID"});
  const bool is_long = table.has("Counter_Name") && table.has("Counter_Value");
  std::vector<std::size_t> counters;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (const auto& column = table.columns[c]; column.starts_with("SQ_") || column.starts_with("TC"))
      counters.push_back(c);
  for (const auto c : counters)
    for (const auto& row : table.rows) table.see(row, c);
  for (const auto* const column : {"Counter_Value", begin.c_str(), end.c_str()}) table.see(column);
  std::map<std::string, Dispatch> dispatches;
  std::vector<std::string> order;
  for (const auto& row : table.rows) {
    const auto key = is_long && !id.empty() ? table.text(row, id) : fmt::format("line {}", row.line);
    if (!dispatches.contains(key)) order.push_back(key);
    auto& dispatch = dispatches[key];
    dispatch.kernel = table.text(row, name);
    const auto from = table.number(row, begin), to = table.number(row, end);
    if (from && to && *to > *from) dispatch.seconds = 1e-9 * (*to - *from);
    if (is_long) {
      if (const auto value = table.number(row, "Counter_Value"))
        dispatch.counters[table.text(row, "Counter_Name")] += *value;
    } else {
      for (const auto c : counters)
        if (const auto value = table.number(row, c)) dispatch.counters[table.columns[c]] = *value;
    }
  }
  std::set<std::string> notes;
  std::vector<ImportedKernel> kernels;
  for (const auto& key : order) kernels.push_back(kernel_of_dispatch(dispatches[key], notes));
  return results_of(kernels, origin, {}, notes);
}

Results parse_advisor(const std::string& text, const std::string& origin, const InputOptions& options) {
  constexpr const char *name = "Function Call Sites and Loops", *rate = "Self GFLOPS", *intensity = "Self AI";
  auto table = ForeignTable::one(text, origin, {name, rate, intensity}, {options.decimal, {}});
  for (const auto* const column : {rate, intensity, "Self GFLOP"}) table.see(column);
  const auto level = level_wanted(options).value_or(MemoryLevel::L1);
  std::vector<std::string> warnings{
      fmt::format("{}: Intel Advisor's AI is taken for that of {}, all bytes that instructions load and store; --level "
                  "says otherwise",
                  origin, roofline::name(level))};
  if (!table.has("Self GFLOP"))
    warnings.push_back(origin + ": has no Self GFLOP, so that each loop is shown as one second of it");
  std::vector<ImportedKernel> loops;
  for (const auto& row : table.rows) {
    const auto gflops = table.number(row, rate), ai = table.number(row, intensity);
    if (!gflops || !ai || *gflops <= 0 || *ai <= 0) continue;
    const double flops = 1e9 * table.number(row, "Self GFLOP").value_or(*gflops);
    loops.push_back({.name = table.text(row, name),
                     .seconds = {flops / (1e9 * *gflops)},
                     .flops = {{"", flops}},
                     .bytes = {{level, Traffic{flops / *ai, 0}}},
                     .note = fmt::format("assumed at {}", roofline::name(level))});
  }
  if (loops.empty()) throw FileError(origin + ": Intel Advisor's survey without any loop that has FLOPs");
  return results_of(loops, origin, std::move(warnings));
}

}  // namespace roofline
