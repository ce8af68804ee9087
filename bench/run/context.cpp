#include "bench/run/context.hpp"

#include <benchmark/benchmark.h>

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
  if (suite.platform() == Platform::modelled) {
    benchmark::AddCustomContext("fingerprint", machine.fingerprint);
  } else {
    for (const auto& [key, value] : machine.context()) benchmark::AddCustomContext(key, value);
    benchmark::AddCustomContext("threads", std::to_string(suite.threads()));
  }
  if (suite.seed() != 0) benchmark::AddCustomContext("seed", std::to_string(suite.seed()));
  benchmark::AddCustomContext("command_line", options.command_line);
  benchmark::AddCustomContext("suite_version", ROOFLINE_VERSION);
  benchmark::AddCustomContext("compiler", ROOFLINE_COMPILER);
}

}  // namespace roofline
