#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/text/clean.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/output.hpp"
#include "reporters/imports/profilers.hpp"

namespace roofline {
namespace {

/// Counters of a dispatch; absent ones are unknown.
struct Dispatch {
  std::string kernel, device, process;
  std::map<std::string, double> counters;
  std::map<std::pair<double, double>, double> times = {};  ///< seconds of each pass, by its begin and end

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
  ImportedKernel kernel{
      .name = without_parameters(dispatch.kernel), .device = dispatch.device, .process = dispatch.process};
  for (const auto& [ends, seconds] : dispatch.times) kernel.seconds.push_back(seconds);
  for (const auto* const precision : {"F64", "F32", "F16"}) {
    const std::string valu = "SQ_INSTS_VALU_", p = std::string("_") + precision;
    const auto part = [&](const char* kind) { return dispatch.sum({{valu + kind + p, lanes}}); };
    const auto add = part("ADD"), mul = part("MUL"), fma = part("FMA");
    if (!add || !mul || !fma) {
      for (const auto* const part : {"ADD", "MUL", "FMA"})
        if (dispatch.counters.contains(valu + part + p))
          notes.insert(fmt::format("{}: {} FLOPs are not known: ADD, MUL and FMA are needed, and one is missing",
                                   kernel.name, precision));
      continue;
    }
    if (const auto matrix = dispatch.sum({{valu + "MFMA_MOPS" + p, of_matrix}}); matrix && *matrix > 0) {
      notes.insert(kernel.name + ": has FLOPs of matrix instructions, which no vector roof bounds");
      kernel.flops["matrix"] = *matrix;
    }
    auto& flops = kernel.flops[std::string("fp") + (precision + 1)];
    // Reciprocals, roots and the like do not belong to any of the four kinds.
    const double others = part("TRANS").value_or(0);
    if (others > 0)
      flops = *add + *mul + 2 * *fma + others;
    else
      flops = ImportedFlops::kinds_of(*add, *mul, *fma);
  }
  // Matrix instructions that are counted otherwise, or without those of the vector units.
  const bool on_matrices = std::any_of(dispatch.counters.begin(), dispatch.counters.end(), [](const auto& counter) {
    return counter.second > 0 && counter.first.find("MFMA") != std::string::npos;
  });
  if (on_matrices && !kernel.flops.contains("matrix"))
    notes.insert(kernel.name + ": has matrix instructions: their FLOPs are not counted");
  // Values that rocprof derives by itself: all FLOPs of a precision, and KiB that the kernel fetched and wrote.
  for (const auto* const bits : {"64", "32", "16"})
    if (const auto total = dispatch.sum({{fmt::format("TOTAL_{}_OPS", bits), 1}}))
      kernel.flops.emplace(std::string("fp") + bits, *total);
  const auto put = [&](MemoryLevel level, const std::optional<double>& read, const std::optional<double>& written) {
    if (read && written) kernel.bytes[level] = Traffic{*read, *written};
  };
  for (const std::string fabric : {"TCC_EA_", "TCC_EA0_"}) {
    auto read = dispatch.sum({{fabric + "RDREQ_sum", line}, {fabric + "RDREQ_32B_sum", half - line}});
    if (read) *read += dispatch.sum({{"TCC_BUBBLE_sum", line}}).value_or(0);
    put(MemoryLevel::DRAM, read, dispatch.sum({{fabric + "WRREQ_sum", half}, {fabric + "WRREQ_64B_sum", line - half}}));
  }
  constexpr double kibi = 1024;
  for (const auto& [fetched, written] : {std::pair{"FETCH_SIZE", "WRITE_SIZE"}, {"FetchSize", "WriteSize"}})
    if (!kernel.bytes.contains(MemoryLevel::DRAM))
      put(MemoryLevel::DRAM, dispatch.sum({{fetched, kibi}}), dispatch.sum({{written, kibi}}));
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

namespace {

bool is_counter(std::string_view column) {
  for (const auto* const beginning : {"SQ_", "TC", "FETCH_SIZE", "WRITE_SIZE", "FetchSize", "WriteSize", "TOTAL_"})
    if (column.starts_with(beginning)) return true;
  return false;
}

/// The dispatches of a file. A dispatch is that of its process, device and queue: a counter that it has twice is of
/// another launch, unless begin and end are the same, too.
class Dispatches {
 public:
  void read(ForeignTable& table, std::size_t number) {
    const auto name = first_of(table, {"Kernel_Name", "KernelName"}),
               begin = first_of(table, {"Start_Timestamp", "BeginNs"}),
               end = first_of(table, {"End_Timestamp", "EndNs"}),
               device = first_of(table, {"Agent_Id", "GPU_ID", "gpu-id"}),
               process = first_of(table, {"Process_Id", "PID", "pid"});
    const bool is_long = table.has("Counter_Name") && table.has("Counter_Value");
    std::vector<std::size_t> counters;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (is_counter(table.columns[c])) counters.push_back(c);
    for (const auto c : counters)
      for (const auto& row : table.rows) table.see(row, c);
    for (const auto* const column : {"Counter_Value", begin.c_str(), end.c_str()}) table.see(column);
    for (const auto& row : table.rows) {
      std::string key = is_long ? fmt::format("{}", number) : fmt::format("{}/line {}", number, row.line);
      if (is_long)
        for (const auto& part : {process, device, first_of(table, {"Queue_Id"}), first_of(table, {"Correlation_Id"}),
                                 first_of(table, {"Dispatch_Id", "Dispatch_ID"}), name})
          key += "/" + (part.empty() ? "" : table.text(row, part));
      const auto from = table.number(row, begin), to = table.number(row, end);
      const auto times = from && to && *to > *from ? std::optional(std::pair(*from, *to)) : std::nullopt;
      const Dispatch whose{table.text(row, name),
                           device.empty() ? "" : table.text(row, device),
                           process.empty() ? "" : table.text(row, process),
                           {}};
      if (!is_long) {
        auto& dispatch = dispatch_of(key, whose);
        add_time(dispatch, times);
        for (const auto c : counters)
          if (const auto value = table.number(row, c)) dispatch.counters[table.columns[c]] = *value;
        continue;
      }
      const auto value = table.number(row, "Counter_Value");
      const auto counter = table.text(row, "Counter_Name");
      while (value && counts_another(dispatch_of(key, whose), counter, *value, times, table, row)) key += "+";
      auto& dispatch = dispatch_of(key, whose);
      add_time(dispatch, times);
      if (value) dispatch.counters[counter] = *value;
    }
  }
  const std::vector<std::string>& order() const { return order_; }
  const Dispatch& operator[](const std::string& key) const { return all_.at(key); }

 private:
  using Times = std::optional<std::pair<double, double>>;

  Dispatch& dispatch_of(const std::string& key, const Dispatch& whose) {
    const auto [found, is_new] = all_.emplace(key, whose);
    if (is_new) order_.push_back(key);
    return found->second;
  }
  static void add_time(Dispatch& dispatch, const Times& times) {
    if (times) dispatch.times[*times] = 1e-9 * (times->second - times->first);
  }
  static bool counts_another(const Dispatch& dispatch, const std::string& counter, double value, const Times& times,
                             const ForeignTable& table, const CsvRecord& row) {
    const auto found = dispatch.counters.find(counter);
    if (found == dispatch.counters.end()) return false;
    if (!times || !dispatch.times.contains(*times)) return true;
    if (found->second != value)
      table.fail(row.line, fmt::format("the file has {} of one dispatch of {} twice, with different values",
                                       clean(counter), clean(dispatch.kernel)));
    return false;
  }

  std::map<std::string, Dispatch> all_;
  std::vector<std::string> order_;
};

}  // namespace

Results parse_rocprofiler(const std::string& text, const std::string& origin, const InputOptions& options) {
  std::vector<std::string> warnings;
  const ForeignTable::Rules rules{options.decimal, {}, &warnings};
  auto tables = ForeignTable::find(text, origin, {"Kernel_Name"}, rules);
  if (tables.empty()) tables = ForeignTable::find(text, origin, {"KernelName"}, rules);
  if (tables.empty()) throw FileError(origin + ": no column Kernel_Name: no dispatches of rocprofiler");
  Dispatches dispatches;
  for (std::size_t i = 0; i < tables.size(); ++i) dispatches.read(tables[i], i);
  std::set<std::string> notes;
  std::vector<ImportedKernel> kernels;
  for (const auto& key : dispatches.order()) kernels.push_back(kernel_of_dispatch(dispatches[key], notes));
  return results_of(kernels, origin, std::move(warnings), "FETCH_SIZE and WRITE_SIZE", notes);
}

Results parse_advisor(const std::string& text, const std::string& origin, const InputOptions& options) {
  constexpr const char *name = "Function Call Sites and Loops", *rate = "Self GFLOPS", *intensity = "Self AI";
  std::vector<std::string> odd;
  auto table = ForeignTable::one(text, origin, {name, rate, intensity}, {options.decimal, {}, &odd});
  for (const auto* const column : {rate, intensity, "Self GFLOP"}) table.see(column);
  const auto level = level_wanted(options).value_or(MemoryLevel::L1);
  std::vector<std::string> warnings{
      fmt::format("{}: Intel Advisor's AI is taken for that of {}, all bytes that instructions load and store; --level "
                  "says otherwise",
                  origin, roofline::name(level))};
  if (!table.has("Self GFLOP")) warnings.push_back(origin + ": has no Self GFLOP: the loops have rates and no times");
  std::vector<ImportedKernel> loops;
  std::vector<std::string> without;
  for (const auto& row : table.rows) {
    const auto gflops = table.number(row, rate), ai = table.number(row, intensity);
    if (!gflops || !ai || *gflops <= 0 || *ai <= 0) {
      without.push_back(table.text(row, name));
      continue;
    }
    const auto amount = table.number(row, "Self GFLOP");
    const double flops = 1e9 * amount.value_or(*gflops);
    loops.push_back({.name = table.text(row, name),
                     .shape = table.text(row, "ID"),  // two loops of a line are not launches of one
                     .flops = {{"", flops}},
                     .bytes = {{level, Traffic{flops / *ai, 0}}},
                     .rate_only = !amount,
                     .note = fmt::format("assumed at {}", roofline::name(level))});
    if (amount) loops.back().seconds = {flops / (1e9 * *gflops)};
  }
  if (loops.empty()) throw FileError(origin + ": Intel Advisor's survey without any loop that has FLOPs");
  warnings.insert(warnings.end(), odd.begin(), odd.end());
  if (!without.empty())
    warnings.push_back(fmt::format("{}: {} loops without FLOPs or AI are left out, the first of them {}", origin,
                                   without.size(), clean(without.front())));
  return results_of(loops, origin, std::move(warnings), intensity);
}

}  // namespace roofline
