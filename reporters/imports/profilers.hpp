#pragma once
#include <string>

#include "reporters/imports/input.hpp"

/// Kernels as profilers count them. Precision follows from the operations that were counted, launches of one kernel are
/// samples of it. Each throws FileError with the place; what was assumed is among the warnings.
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

}  // namespace roofline
