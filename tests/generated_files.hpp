#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "bench/model/counts.hpp"
#include "reporters/imports/input.hpp"

namespace roofline::generated {

using Maybe = std::optional<double>;
using Strings = std::vector<std::string>;

/// A kernel as a file describes it.
struct Said {
  std::string precision = "unknown";
  std::optional<Operations> kinds = {};
  Maybe flops = {}, seconds = {};
  Maybe rate = {};  ///< of a file without amounts; its intensities, too
  std::map<std::string, double> bytes = {}, intensity = {};
};

struct File {
  std::string text;
  std::vector<Said> says;
  InputOptions options = {};
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  bool maybe() { return engine_() % 2 == 0; }
  std::size_t below(std::size_t n) { return engine_() % n; }
  double count() { return static_cast<double>(1 + engine_() % 1'000'000'007); }
  Maybe some() { return maybe() ? Maybe(count()) : std::nullopt; }
  double rate() { return 0.5 + static_cast<double>(engine_() % 9999); }

 private:
  std::mt19937_64 engine_;
};

/// The counts of a kernel, by the names that the file has for them.
using Metrics = std::map<std::string, double>;

inline const Strings precisions{"fp64", "fp32", "fp16"};

/// Adds one kernel's metrics of additions, multiplications and FMAs, some of them, and what they say.
inline void add_kinds(Random& random, Metrics& metrics, const std::array<std::string, 3>& names, double scale,
                      Said& said, const std::string& precision) {
  const bool all = random.maybe();
  std::array<Maybe, 3> counts;
  for (std::size_t i = 0; i < 3; ++i)
    if (all || random.maybe()) metrics[names[i]] = *(counts[i] = random.count());
  if (!counts[0] || !counts[1] || !counts[2]) return;
  const auto of = [&](std::size_t i) { return static_cast<std::uint64_t>(scale * *counts[i]); };
  said.kinds = {.add = of(0), .mul = of(1), .fma = of(2)};
  said.flops = said.kinds->flops(), said.precision = precision;
}

/// Adds bytes of a level in metrics that are only known together, some of them.
inline void add_bytes(Random& random, Metrics& metrics, const Strings& names, double scale, Said& said,
                      const std::string& level) {
  const bool all = random.maybe();
  std::size_t found = 0;
  double sum = 0;
  for (const auto& name : names) {
    if (!all && random.maybe()) continue;
    sum += metrics[name] = random.count();
    ++found;
  }
  if (found == names.size()) said.bytes[level] = scale * sum;
}

/// A table with a line for each kernel; what a kernel does not have is empty.
inline std::string wide_table(const Strings& fixed, const std::vector<Strings>& kernels,
                              const std::vector<Metrics>& metrics,
                              const std::function<std::string(const std::string&)>& unit) {
  std::map<std::string, bool> names;
  for (const auto& of_kernel : metrics)
    for (const auto& [name, value] : of_kernel) names[name] = true;
  std::string head = fmt::format("\"{}\"", fmt::join(fixed, "\",\"")), units, rows;
  for (std::size_t i = 1; i < fixed.size(); ++i) units += ",";
  for (const auto& [name, used] : names) head += ",\"" + name + "\"", units += "," + unit(name);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    rows += fmt::format("\"{}\"", fmt::join(kernels[k], "\",\""));
    for (const auto& [name, used] : names)
      rows += metrics[k].contains(name) ? fmt::format(",\"{:.0f}\"", metrics[k].at(name)) : ",";
    rows += "\n";
  }
  return head + "\n" + (unit("") == "none" ? "" : units + "\n") + rows;
}

/// A line for each metric of each kernel; `line` writes it.
inline std::string long_table(const std::string& head, const std::vector<Metrics>& metrics,
                              const std::function<std::string(std::size_t, const std::string&, double)>& line) {
  auto text = head + "\n";
  for (std::size_t k = 0; k < metrics.size(); ++k)
    for (const auto& [name, value] : metrics[k]) text += line(k, name, value) + "\n";
  return text;
}

inline File nsight_compute(Random& random, bool pages) {
  File file;
  std::vector<Metrics> metrics(1 + random.below(3));
  std::vector<Strings> kernels;
  const auto unit = [](const std::string& name) {
    return name.find("time") != name.npos ? "nsecond" : name.find("bytes") != name.npos ? "byte" : "inst";
  };
  for (std::size_t k = 0; k < metrics.size(); ++k) {
    kernels.push_back({fmt::format("{}", k), "1", fmt::format("k{}", k)});
    auto& said = file.says.emplace_back();
    const auto p = random.below(3);
    const auto name = fmt::format("smsp__sass_thread_inst_executed_op_{}", "dfh"[p]);
    add_kinds(random, metrics[k], {name + "add_pred_on.sum", name + "mul_pred_on.sum", name + "fma_pred_on.sum"}, 1,
              said, precisions[p]);
    if (random.maybe())
      add_bytes(random, metrics[k], {"dram__bytes.sum"}, 1, said, "DRAM");
    else
      add_bytes(random, metrics[k], {"dram__bytes_read.sum", "dram__bytes_write.sum"}, 1, said, "DRAM");
    add_bytes(random, metrics[k], {"lts__t_bytes.sum"}, 1, said, "L2");
    add_bytes(random, metrics[k], {"l1tex__t_bytes.sum"}, 1, said, "L1");
    if (metrics[k].empty() || random.maybe())
      said.seconds = 1e-9 * (metrics[k]["gpu__time_duration.sum"] = random.count());
  }
  if (!pages)
    file.text = wide_table({"ID", "Process ID", "Kernel Name"}, kernels, metrics, unit);
  else
    file.text =
        long_table("\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"", metrics,
                   [&](std::size_t k, const std::string& name, double value) {
                     return fmt::format("\"{}\",\"1\",\"k{}\",\"{}\",\"{}\",\"{:.0f}\"", k, k, name, unit(name), value);
                   });
  return file;
}

inline File nvprof_metrics(Random& random) {
  File file;
  std::vector<Metrics> metrics(1 + random.below(3));
  for (auto& of_kernel : metrics) {
    auto& said = file.says.emplace_back();
    const auto p = random.below(3);
    const auto name = fmt::format("flop_count_{}", Strings{"dp", "sp", "hp"}[p]);
    add_kinds(random, of_kernel, {name + "_add", name + "_mul", name + "_fma"}, 1, said, precisions[p]);
    if (random.maybe()) {
      if (!said.flops || random.maybe()) said.flops = 2 * said.flops.value_or(0) + random.count(), said.kinds = {};
      of_kernel[name] = *said.flops, said.precision = precisions[p];
    }
    add_bytes(random, of_kernel, {"dram_read_transactions", "dram_write_transactions"}, 32, said, "DRAM");
    add_bytes(random, of_kernel, {"l2_read_transactions", "l2_write_transactions"}, 32, said, "L2");
    add_bytes(random, of_kernel, {"gld_transactions", "gst_transactions"}, 32, said, "L1");
    if (of_kernel.empty()) of_kernel["flop_count_dp"] = *(said.flops = random.count()), said.precision = "fp64";
  }
  file.text =
      long_table("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"",
                 metrics, [](std::size_t k, const std::string& name, double value) {
                   return fmt::format("\"V100 (0)\",\"k{0}\",1,\"{1}\",\"-\",{2:.0f},{2:.0f},{2:.0f}", k, name, value);
                 });
  return file;
}

inline File nvprof_times(Random& random) {
  File file{"\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,us,,us,us,us,\n", {}};
  for (std::size_t k = 0; k <= random.below(3); ++k) {
    const double time = random.rate();
    file.text += fmt::format("\"GPU activities\",10,{1},1,{1},{1},{1},\"k{0}(double*)\"\n", k, time);
    file.says.push_back({.seconds = 1e-6 * time});
  }
  return file;
}

inline File rocprofiler(Random& random, bool by_counter) {
  File file;
  std::vector<Metrics> metrics(1 + random.below(3));
  std::vector<Strings> kernels;
  for (std::size_t k = 0; k < metrics.size(); ++k) {
    auto& said = file.says.emplace_back();
    auto& counters = metrics[k];
    const auto p = random.below(3);
    const Strings bits{"64", "32", "16"};
    const auto name = [&](const char* kind) { return fmt::format("SQ_INSTS_VALU_{}_F{}", kind, bits[p]); };
    add_kinds(random, counters, {name("ADD"), name("MUL"), name("FMA")}, 64, said, precisions[p]);
    if (said.kinds && random.maybe()) {  // reciprocals and roots
      *said.flops += 64 * (counters[name("TRANS")] = random.count());
      said.kinds = {};
    }
    if (!said.flops && random.maybe()) {
      said.flops = counters["TOTAL_" + bits[p] + "_OPS"] = random.count();
      said.precision = precisions[p];
    }
    add_bytes(random, counters, {"FETCH_SIZE", "WRITE_SIZE"}, 1024, said, "DRAM");
    add_bytes(random, counters, {"TCP_TCC_READ_REQ_sum", "TCP_TCC_WRITE_REQ_sum"}, 64, said, "L2");
    add_bytes(random, counters, {"TCP_TOTAL_CACHE_ACCESSES_sum"}, 64, said, "L1");
    if (counters.empty()) counters["SQ_WAVES"] = 1;
    const double nanoseconds = random.count();
    said.seconds = 1e-9 * nanoseconds;
    kernels.push_back({fmt::format("k{}", k), "1000", fmt::format("{:.0f}", 1000 + nanoseconds)});
  }
  const auto no_units = [](const std::string&) { return "none"; };
  file.text = !by_counter ? wide_table({"Kernel_Name", "Start_Timestamp", "End_Timestamp"}, kernels, metrics, no_units)
                          : long_table("Kernel_Name,Start_Timestamp,End_Timestamp,Counter_Name,Counter_Value", metrics,
                                       [&](std::size_t k, const std::string& name, double value) {
                                         return fmt::format("{},{},{:.0f}", fmt::join(kernels[k], ","), name, value);
                                       });
  return file;
}

inline File advisor(Random& random) {
  const bool amounts = random.maybe();
  File file{"ID,Function Call Sites and Loops,Self GFLOPS,Self AI", {}};
  if (random.maybe()) file.options.level = "L2";
  file.text += amounts ? ",Self GFLOP\n" : "\n";
  const auto level = file.options.level.empty() ? "L1" : "L2";
  for (std::size_t k = 0; k <= random.below(3); ++k) {
    const double rate = random.rate(), intensity = random.rate();
    file.text += fmt::format("{},k{},{},{}", k, k, rate, intensity);
    auto& said = file.says.emplace_back();
    if (const auto amount = amounts ? random.some() : std::nullopt) {
      file.text += fmt::format(",{:.0f}\n", *amount);
      said = {.flops = 1e9 * *amount, .seconds = *amount / rate, .bytes = {{level, 1e9 * *amount / intensity}}};
    } else {
      file.text += amounts ? ",\n" : "\n";
      said = {.rate = 1e9 * rate, .intensity = {{level, intensity}}};
    }
  }
  return file;
}

/// Rows of Google Benchmark: each has the clock of its name, and rates or amounts of an iteration.
inline File google_benchmark(Random& random, bool csv) {
  File file;
  file.options.flops = "flops", file.options.bytes = "bytes", file.options.per_iteration = random.maybe();
  file.options.level = Strings{"L1", "L2", "L3", "DRAM"}[random.below(4)];
  const auto unit = random.below(3);
  Strings rows;
  for (std::size_t k = 0; k <= random.below(3); ++k) {
    const bool wall = random.maybe(), single = random.maybe();
    const double scale = file.options.per_iteration ? 1 : 1e9, real = 2 + random.rate(), cpu = 0.75 * real,
                 flops = scale * (1e6 + random.count()), bytes = scale * (1e6 + random.count());
    const auto name = fmt::format("k{}{}/1024{}", k, single ? "<float>" : "", wall ? "/real_time" : "");
    const auto unit_name = Strings{"ns", "us", "ms"}[unit];
    rows.push_back(
        csv ? fmt::format("\"{}\",7,{},{},{},{:.0f},{:.0f}", name, real, cpu, unit_name, flops, bytes)
            : fmt::format("{{\"name\": \"{}\", \"run_type\": \"iteration\", \"iterations\": 7, \"real_time\": {}, "
                          "\"cpu_time\": {}, \"time_unit\": \"{}\", \"flops\": {:.0f}, \"bytes\": {:.0f}}}",
                          name, real, cpu, unit_name, flops, bytes));
    const double second = std::pow(1e-3, 3 - static_cast<double>(unit));
    const double clock = file.options.per_iteration ? 1 : second * (wall ? real : cpu);
    file.says.push_back({.precision = single ? "fp32" : "unknown",
                         .flops = flops * clock,
                         .seconds = second * real,
                         .bytes = {{file.options.level, bytes * clock}}});
  }
  file.text = csv ? fmt::format("name,iterations,real_time,cpu_time,time_unit,flops,bytes\n{}\n", fmt::join(rows, "\n"))
                  : fmt::format("{{\"context\": {{\"library_version\": \"v1.9.5\"}}, \"benchmarks\": [{}]}}",
                                fmt::join(rows, ", "));
  return file;
}

inline File data_file(Random& random) {
  File file{"memroofs 14336 2996.82 828.758\nmem_roof_names 'L1' 'L2' 'HBM'\ncomproofs 7068.86\nFLOPS", {}};
  for (std::size_t k = 0; k <= random.below(4); ++k) {
    file.says.push_back({.precision = "fp64", .rate = 1e9 * random.rate()});
    file.text += fmt::format(" {}", 1e-9 * *file.says.back().rate);
  }
  for (const auto& [key, level] : {std::pair("L1", "L1"), std::pair("L2", "L2"), std::pair("HBM", "DRAM")}) {
    file.text += fmt::format("\nAI_{}", key);
    for (auto& said : file.says) {
      if (random.maybe()) said.intensity[level] = random.rate();
      file.text += said.intensity.contains(level) ? fmt::format(" {}", said.intensity[level]) : " nan";
    }
  }
  file.text += "\n";
  return file;
}

}  // namespace roofline::generated
