#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/counters/counter_source.hpp"
#include "bench/counters/imports/ncu_csv.hpp"
#include "bench/cuda/counting.hpp"
#include "bench/options/choices.hpp"

namespace roofline {

/// Information about counting, once rows have been counted.
struct CountersReport {
  std::string description;                ///< "CUPTI 13.0.1 on GH100, ...", "none", the file's name
  std::vector<SelfTestResult> self_test;  ///< empty where nothing was counted
  std::vector<std::string> warnings;      ///< what went wrong, one line each
};

/// How launches of a GPU run are counted.
struct GpuCounter {
  std::shared_ptr<CounterSource> source;
  std::shared_ptr<CountersReport> report = std::make_shared<CountersReport>();
};

/// How a GPU is reached; tests put others in their places.
struct GpuAccess {
  std::function<GpuCounting(const Gpu&)> open = open_counting;
  std::function<void(const std::string& row, const Workload&)> launch = launch_for_profilers;
};

/// The source of counts that --counters asks for: auto (CUPTI, else the model), cupti, model, none, or counters
/// imported from a file.
///
/// CUPTI is opened here, before the first kernel of the run is loaded, and closed by finish(). On an H200 rows that are
/// timed meanwhile take at most 0.14 % longer, and an empty launch takes 1.40 us instead of 1.39. A metric that failed
/// its known answer in the self-test is replaced by the model's value, and a warning names it. Only `model` itself
/// waits for the model however long it takes. `modelled` may be null. Throws CountersUnavailable when the choice is
/// cupti and it cannot be used.
GpuCounter gpu_counter(const CountersChoice& choice, const ImportedCounters& imported, const Gpu& gpu,
                       std::shared_ptr<CounterSource> modelled, const GpuAccess& access = {});

/// Handles --counters in a run on a virtual GPU. `auto` and `model` are the model's own counts (nothing is returned).
/// Counters of a file replace the model's bytes for the rows that the file knows. Sources that need hardware, and none,
/// are refused. Throws CountersUnavailable for cupti and perf, std::invalid_argument for none.
std::optional<GpuCounter> virtual_gpu_counter(const CountersChoice& choice, const ImportedCounters& imported,
                                              std::shared_ptr<CounterSource> model);

}  // namespace roofline
