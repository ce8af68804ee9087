#pragma once
#include <functional>
#include <set>
#include <string>

#include "reporters/files/imported.hpp"
#include "reporters/imports/input.hpp"

/// Kernels as profilers count them. Precision follows from the operations that were counted, launches of one kernel are
/// samples of it. Each reader throws FileError with the place; assumptions are among the warnings.
namespace roofline {

/// `ncu --csv`, both pages: FLOPs by precision, bytes by level, of this program's metrics or of those of NERSC's
/// recipes (dram__bytes.sum, lts__t_bytes.sum, l1tex__t_bytes.sum, or sectors of 32 B).
Results parse_ncu_kernels(const std::string& text, const std::string& origin, const InputOptions& options);

/// `nvprof --csv` with --metrics, --print-gpu-summary or --print-gpu-trace: transactions of 32 B. Metrics have no
/// times, the others nothing else: halves.
Results parse_nvprof(const std::string& text, const std::string& origin, const InputOptions& options);

/// Counters of AMD's GPUs by dispatch: pmc_perf.csv of rocprofiler-compute, or counter_collection.csv of rocprofv3.
Results parse_rocprofiler(const std::string& text, const std::string& origin, const InputOptions& options);

/// Intel Advisor's survey (`advisor --report=survey --format=csv`): loops with GFLOPS and AI, which is of all bytes
/// that instructions load and store, L1's.
Results parse_advisor(const std::string& text, const std::string& origin, const InputOptions& options);

/// The global summary of `sde -mix -iform 1`: FLOPs by precision, as in Intel's article 672372 and NERSC's
/// parse-sde.sh, and the bytes of loads and stores, which are L1's. A point named whole_program, without a time.
Results parse_sde(const std::string& text, const std::string& origin, const InputOptions& options);

/// Lines that memory controllers moved, 64 B each, from VTune's memory access analysis: its CSV of hardware events by
/// package, or its summary, which has the elapsed time, too. UNC_E_RPQ_INSERTS and UNC_E_WPQ_INSERTS are of MCDRAM,
/// UNC_M_CAS_COUNT.RD and .WR of DDR. A point named whole_program, without FLOPs.
Results parse_vtune(const std::string& text, const std::string& origin, const InputOptions& options);

/// Rows of any Google Benchmark suite as points: the median of a row's repetitions, or its aggregates "median" or
/// "mean" where only these were reported. A launch is one iteration of all threads of a row. Counters are rates of the
/// clock that the row's name says, or with options.per_iteration amounts; a unit in their names counts. Versions differ
/// in what threads do to times and rates; each is read as it wrote. Rows without a result, or named twice, are warned
/// of. Throws FileError with place and reason, std::invalid_argument naming the counters there are when no row has
/// those that were asked for.
Results parse_google_json(const std::string& text, const std::string& origin, const InputOptions& options);
/// The same of --benchmark_format=csv.
Results parse_google_csv(const std::string& text, const std::string& origin, const InputOptions& options);

/// Bytes of a level as a recipe adds them up: absent where one of those that it needs is.
struct Recipe {
  double unit;  ///< bytes of one
  std::vector<std::string> read, written, read_if_there = {}, written_if_there = {};

  /// `counted` gives a counter by its name.
  std::optional<Traffic> of(const std::function<std::optional<double>(const std::string&)>& counted) const {
    Traffic traffic;
    const auto add = [&](const std::vector<std::string>& names, double& bytes, bool needed) {
      for (const auto& name : names) {
        const auto value = counted(name);
        if (!value && needed) return false;
        bytes += unit * value.value_or(0);
      }
      return true;
    };
    if (!add(read, traffic.read, true) || !add(written, traffic.written, true)) return std::nullopt;
    add(read_if_there, traffic.read, false), add(written_if_there, traffic.written, false);
    return traffic;
  }
};

/// The result of these readers: the kernels as points, and notes among the warnings; `needed` as in points_of().
Results results_of(const std::vector<ImportedKernel>& kernels, const std::string& origin,
                   std::vector<std::string> warnings, const std::string& needed,
                   const std::set<std::string>& notes = {});

}  // namespace roofline
