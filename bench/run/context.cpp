#include "bench/run/context.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/machine.hpp"
#include "bench/options/device_flag.hpp"
#include "bench/text/clean.hpp"

namespace roofline {
namespace {

/// Names that firmware and flags give may hold what JSON and terminals do not take.
void add(const std::string& key, const std::string& value) { benchmark::AddCustomContext(key, clean(value)); }

}  // namespace

void add_context(const Suite& suite, const Options& options, const Place& place, const ModelledRun* model) {
  const auto& machine = suite.machine();
  if (model) {
    add("model", model->device);
    add("model_description", model->description);
    add("model_hash", model->hash);
    add("times", "bounds: the least possible ones, nothing was measured");
    for (const auto& [key, value] : model->facts) add("model_" + key, value);
  } else if (on_virtual_clock(options.device)) {
    add("times", virtual_times);
  } else if (!machine.caches.empty()) {
    add("model_hash", model_hash(machine.caches));
  }
  std::map<std::string, std::string> entries;
  if (suite.platform() == Platform::cpu || !suite.is_modelled()) {
    entries = machine.context();
    entries["threads"] = std::to_string(suite.threads());
  }
  if (const auto& gpu = suite.target().gpu) entries.merge(context(*gpu));
  entries["fingerprint"] = suite.target().fingerprint;
  for (const auto& [key, value] : entries) add(key, value);
  const auto add_known = [](const std::string& key, const std::string& value) {
    if (!value.empty()) add(key, value);
  };
  const auto text = [](std::optional<int> number) { return number ? std::to_string(*number) : std::string(); };
  add_known("node", place.node), add_known("launcher", place.launcher), add_known("job", place.job);
  add_known("rank", text(place.rank)), add_known("ranks", text(place.ranks));
  add_known("window", place.window), add_known("disturbed", place.conflict);
  add_known("local_rank", text(place.local_rank)), add_known("local_ranks", text(place.local_ranks));
  if (suite.seed() != 0) add("seed", std::to_string(suite.seed()));
  add("command_line", options.command_line);
  add("suite_version", ROOFLINE_VERSION);
  add("compiler", ROOFLINE_COMPILER);
}

}  // namespace roofline
