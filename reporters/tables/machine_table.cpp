#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"

namespace roofline {
namespace {

std::string cores(const Machine& machine) {
  std::string text = fmt::format("{} usable", machine.usable_cores);
  if (!machine.cpus.empty()) text += ", CPUs " + format_cpu_list(machine.cpus);
  text += fmt::format(", {} thread{} per core", machine.smt, machine.smt == 1 ? "" : "s");
  if (machine.quota > 0) text += fmt::format(", quota {} CPUs", significant(machine.quota));
  return text;
}

std::string self_test(const std::vector<SelfTestResult>& results) {
  std::size_t all = 0, passed = 0;
  for (const auto& result : results)
    if (!result.answer.informative) ++all, passed += result.passed();
  return fmt::format("{} of {} known answers right", passed, all);
}

/// "L1 48 KiB/12-way, L2 1 MiB/16-way, L3 32 MiB/16-way shared by 2".
std::string geometry(const std::vector<CacheLevel>& caches) {
  std::vector<std::string> parts;
  for (const auto& cache : caches)
    parts.push_back(fmt::format("{} {}/{}-way{}", name(cache.level), binary_size(static_cast<double>(cache.size)),
                                cache.ways, cache.shared_by > 1 ? fmt::format(" shared by {}", cache.shared_by) : ""));
  return fmt::format("{}", fmt::join(parts, ", "));
}

using Row = std::function<void(const std::string& key, const std::string& value)>;

void add_cpu(const Results& results, const Row& row) {
  const Machine& machine = results.machine;
  row("name", machine.name);
  row("cores", cores(machine));
  row("SIMD", machine.isa);
  row("clock",
      machine.clock_hz > 0 ? significant(giga(machine.clock_hz)) + " GHz, measured with a dependent chain" : "");
  row("caches", geometry(machine.caches));
  if (!machine.cache_note.empty()) row("", machine.cache_note);
  row("memory", (machine.memory_bytes > 0 ? binary_size(machine.memory_bytes) : std::string(absent)) +
                    fmt::format(", {} NUMA node{}", machine.numa_nodes, machine.numa_nodes == 1 ? "" : "s"));
  row("huge pages", machine.huge_pages);
  if (!results.device_note.empty()) row("GPU", "none: " + results.device_note);
  if (!results.counters.empty()) row("counters", results.counters);
  row("ceilings", results.ceilings_origin.text);
  if (results.stores) row("stores", describe(*results.stores));
  if (results.place) row("node", results.place->node);
  if (results.place && !results.place->launcher.empty()) row("launcher", launcher_line(*results.place));
}

void add_gpu(const Results& results, const Row& row) {
  const Gpu& gpu = *results.gpu;
  row("name", fmt::format("{} (cuda:{})", gpu.name, gpu.index));
  row("SMs", fmt::format("{}, compute capability {}.{}, up to {} GHz", gpu.sms, gpu.major, gpu.minor,
                         significant(giga(gpu.clock_hz))));
  row("memory", fmt::format("{}, L2 {}", binary_size(gpu.memory_bytes), binary_size(gpu.l2_bytes)));
  const auto facts = context(gpu);
  const auto release = facts.find("nvidia_driver");
  row("driver", fmt::format("{}CUDA {}, runtime {}", release == facts.end() ? "" : release->second + ", ",
                            facts.at("cuda_driver"), facts.at("cuda_runtime")));
  for (const auto& [key, text] : results.gpu_facts) row(key, text);
  row("counters", results.counters);
  if (!results.self_test.empty()) row("self-test", self_test(results.self_test));
  if (is_mig_instance(gpu))
    row("",
        "an instance of a divided GPU: resources that it shares with others have no counters, and the self-test names "
        "them");
  row("host", results.machine.name);
  row("ceilings", results.ceilings_origin.text);
}

void add_model(const Results& results, const Row& row) {
  row("name", results.model->description);
  for (const auto& [key, value] : results.model->facts) row(key, value);
  row("model hash", results.model->hash);
  row("ceilings", results.ceilings_origin.text);
  row("times", "bounds, nothing was measured");
}

}  // namespace

std::string describe(const StorePolicy& stores) {
  using enum StorePolicy::Outcome;
  if (stores.outcome == unknown) return "not known, taken to allocate their lines: " + stores.why;
  std::string rates;
  if (stores.write && stores.update)
    rates = fmt::format(
        " (write {:.2f} of update, at its bytes{})", *stores.write / *stores.update,
        stores.write_nt ? fmt::format("; {:.2f} of write_nt per element", *stores.write / 2 / *stores.write_nt) : "");
  if (stores.outcome == allocates) return "allocate their lines" + rates;
  return fmt::format("evade reading {:.0f} % of the lines that they overwrite{}", 100 * stores.evaded, rates);
}

Table machine_table(const Results& results) {
  Table table{"Machine", table_columns("<|<")};
  const Row row = [&](const std::string& key, const std::string& value) {
    table.rows.push_back({{key, value.empty() ? std::string(absent) : value}});
  };
  if (results.model) {
    table.title = "Modelled device: " + results.model->device;
    add_model(results, row);
  } else {
    results.gpu ? add_gpu(results, row) : add_cpu(results, row);
  }
  row("date", results.date);
  if (!results.command_line.empty()) row("command", results.command_line);
  return table;
}

}  // namespace roofline
