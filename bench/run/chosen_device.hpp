#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/counters/imports/ncu_csv.hpp"
#include "bench/counting/cpu_counter.hpp"
#include "bench/counting/virtual_model.hpp"
#include "bench/machine/machine.hpp"
#include "bench/options/options.hpp"
#include "bench/run/rank_setup.hpp"
#include "bench/suite/target.hpp"

namespace roofline {

/// What the numbers of this run belong to.
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

}  // namespace roofline
