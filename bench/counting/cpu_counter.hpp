#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/counters/imports/imported.hpp"
#include "bench/counters/perf/counter.hpp"
#include "bench/counters/perf/known_kernels.hpp"
#include "bench/machine/machine.hpp"
#include "bench/options/choices.hpp"

namespace roofline {

/// How launches of a run on the CPU are counted.
struct CpuCounter {
  std::shared_ptr<CounterSource> source;
  std::string description;                         ///< one line: by what, or why not
  std::vector<perf::KnownOutcome> self_test = {};  ///< empty where nothing was counted
  /// Problems, one line each; the list grows while rows are counted.
  std::shared_ptr<std::vector<std::string>> warnings = std::make_shared<std::vector<std::string>>();
};

/// How the counters are reached; tests put others in their places.
struct PerfAccess {
  perf::Counter::Setup setup = {};
  std::function<std::vector<perf::KnownLaunch>(int threads, const Machine&)> kernels = {};  ///< empty: the suite's own
};

/// The source of counts that --counters asks for: auto (the hardware's counters if they pass their self-test, else the
/// model), perf, model, none, or the counts of a file. The model's numbers stand next to all of them.
///
/// A quantity that fails a known answer is not used: a warning names it, and its number is modelled. Throws
/// CountersUnavailable, one line with the suggestion, when the choice is perf and nothing can be counted, and
/// std::invalid_argument for cupti.
CpuCounter cpu_counter(const CountersChoice& choice, const perf::ImportedEvents& imported, const Machine& machine,
                       int threads, std::shared_ptr<CounterSource> modelled, const PerfAccess& access = {});

/// Why a program cannot count on this machine: empty when it can. Tries one event on one thread.
std::string perf_refusal(perf::System& system);

/// Part of --describe counters: the counts of each CPU, and how to make files with other programs.
std::string describe_cpu_counters(const Machine& machine);

}  // namespace roofline
