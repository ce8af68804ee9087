#include "bench/run/context.hpp"

#include <benchmark/benchmark.h>

#include <map>

#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/machine.hpp"
#include "bench/simulator/cache_hierarchy.hpp"

namespace roofline {

void add_context(const Suite& suite, const Options& options, const ModelledRun* model) {
  const auto& machine = suite.machine();
  if (model) {
    benchmark::AddCustomContext("model", model->device);
    benchmark::AddCustomContext("model_description", model->description);
    benchmark::AddCustomContext("model_hash", model->hash);
    benchmark::AddCustomContext("times", "bounds: the least possible ones, nothing was measured");
    for (const auto& [key, value] : model->facts) benchmark::AddCustomContext("model_" + key, value);
  } else if (!machine.caches.empty()) {
    benchmark::AddCustomContext("model_hash", model_hash(machine.caches));
  }
  std::map<std::string, std::string> entries;
  if (suite.platform() != Platform::modelled) {
    entries = machine.context();
    entries["threads"] = std::to_string(suite.threads());
  }
  if (const auto& gpu = suite.target().gpu) entries.merge(context(*gpu));
  entries["fingerprint"] = suite.target().fingerprint;
  for (const auto& [key, value] : entries) benchmark::AddCustomContext(key, value);
  if (suite.seed() != 0) benchmark::AddCustomContext("seed", std::to_string(suite.seed()));
  benchmark::AddCustomContext("command_line", options.command_line);
  benchmark::AddCustomContext("suite_version", ROOFLINE_VERSION);
  benchmark::AddCustomContext("compiler", ROOFLINE_COMPILER);
}

}  // namespace roofline
