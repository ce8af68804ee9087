#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/counters/imports/ncu_csv.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/counting/cpu_counter.hpp"
#include "bench/counting/virtual_model.hpp"
#include "bench/cuda/gpu.hpp"
#include "bench/machine/machine.hpp"
#include "bench/options/options.hpp"
#include "bench/run/rank_setup.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// The device that the numbers of this run belong to.
struct ChosenDevice {
  ImportedCounters counters;          ///< where --counters names a file of a GPU
  perf::ImportedEvents cpu_counters;  ///< ... or of a CPU
  std::optional<Model> model;
  Target target;
  std::string note;                ///< why not a GPU
  std::vector<std::string> notes;  ///< of its levels
};

/// The device of --device, --modelled and --counters; a GPU is made the current one, a rank gets its own, and one that
/// ranks share is told in rank.place. Throws FileError, std::invalid_argument, Unavailable.
ChosenDevice device_of_run(const Options& options, const Machine& machine, RankSetup& rank);

/// The GPU that --device names, none for the CPU: `cpu`, `cuda:N`, or `auto`, which takes the first GPU there is, or of
/// several processes on this node each its own: `number` modulo the GPUs there are. Without any it is the CPU, and
/// `note` says why; it also names GPUs that were left out. Throws std::invalid_argument on any other text,
/// DeviceUnavailable when there is no such GPU.
std::optional<Gpu> choose_device(const std::string& device, const std::function<Gpus()>& find = find_gpus,
                                 std::string* note = nullptr, int number = 0);

}  // namespace roofline
