#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/counting/cpu_counter.hpp"
#include "bench/counting/gpu_counter.hpp"
#include "bench/counting/modelled.hpp"
#include "bench/options/options.hpp"
#include "bench/recovery/records.hpp"
#include "bench/result/results.hpp"
#include "bench/run/plan.hpp"
#include "bench/storage/ceilings_file.hpp"

namespace roofline {

/// A run that has been planned: everything that can be refused has been refused.
struct PlannedRun {
  const Suite& suite;
  const Options& options;
  const Plan& plan;
  Records records = {};                        ///< of this run so far, by processes before this one
  std::optional<EarlierRun> imported = {};     ///< ceilings of an earlier run; absent: measured or the model's
  const Model* model = nullptr;                ///< of a modelled run
  std::optional<GpuCounter> gpu_counter = {};  ///< of a run on a GPU
  std::optional<CpuCounter> cpu_counter = {};  ///< of a run on the CPU
  std::vector<std::string> notes = {};         ///< warnings from before the run: variables overridden, rows resumed
  std::function<void()> written = {};          ///< called when a result that nothing interrupted is safe on disk
  std::string device_note = {};                ///< why this is a run on the CPU, where a GPU would have been taken
  Place place = {};                            ///< among other processes
};

/// Measures, prints, writes; returns the exit code.
int measure_and_report(PlannedRun run);

/// Ends this process after its GPU is lost, so that a supervisor carries on after the row in a new one; returns when
/// the GPU is there or nobody supervises.
void leave_lost_gpu(const Options& options);

/// Prints "roofline_bench: LINE" to stderr; returns the code.
int report_error(int code, const std::string& line);

/// Google Benchmark takes flags from the environment as well. Flags that the suite carries out itself would give a
/// second report: a result file without our counters, another filter. Returns the ones that were there, one line each.
std::vector<std::string> drop_benchmark_variables();

/// Google Benchmark reads its own flags; the rest is unknown. Returns an ExitCode; a flag that the library refuses ends
/// the program.
int initialize_benchmark(const Options& options);

/// Puts the machine, its fingerprint, the hash of the model that counts bytes, and the command line into Google
/// Benchmark's JSON context, with the node and the rank. A modelled run has `model`, and the device it describes in
/// place of the machine.
void add_context(const Suite& suite, const Options& options, const Place& place, const ModelledRun* model = nullptr);

}  // namespace roofline
