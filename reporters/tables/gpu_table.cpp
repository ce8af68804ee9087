#include <fmt/format.h>

#include "bench/machine/gpu_facts.hpp"
#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"

namespace roofline {
namespace {

std::string self_test(const std::vector<SelfTestResult>& results) {
  std::size_t all = 0, passed = 0;
  for (const auto& result : results)
    if (!result.answer.informative) ++all, passed += result.passed();
  return fmt::format("{} of {} known answers right", passed, all);
}

}  // namespace

Table gpu_table(const Results& results) {
  const Gpu& gpu = *results.gpu;
  Table table{"Machine", {{"", false}, {"", false}}, {}, {}};
  const auto row = [&](const char* key, const std::string& value) {
    table.rows.push_back({{key, value.empty() ? std::string(absent) : value}});
  };
  row("name", fmt::format("{} (cuda:{})", gpu.name, gpu.index));
  row("SMs", fmt::format("{}, compute capability {}.{}, up to {} GHz", gpu.sms, gpu.major, gpu.minor,
                         significant(giga(gpu.clock_hz))));
  row("memory", fmt::format("{}, L2 {}", binary_size(gpu.memory_bytes), binary_size(gpu.l2_bytes)));
  const auto facts = context(gpu);
  const auto release = facts.find("nvidia_driver");
  row("driver", fmt::format("{}CUDA {}, runtime {}", release == facts.end() ? "" : release->second + ", ",
                            facts.at("cuda_driver"), facts.at("cuda_runtime")));
  for (const auto& [key, text] : results.gpu_facts) row(key.c_str(), text);
  row("counters", results.counters);
  if (!results.self_test.empty()) row("self-test", self_test(results.self_test));
  if (is_mig_instance(gpu))
    row("", "an instance of a divided GPU: what it shares with others has no counters, which the self-test names");
  row("host", results.machine.name);
  row("ceilings", results.ceilings_origin.text);
  row("date", results.date);
  if (!results.command_line.empty()) row("command", results.command_line);
  return table;
}

}  // namespace roofline
