#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/counters/self_test.hpp"
#include "bench/cuda/gpu.hpp"
#include "bench/space/workload.hpp"

namespace roofline {

/// Hardware counters of one GPU, ready to use.
struct GpuCounting {
  /// Counts one launch, which is repeated for every pass. Throws CountersUnavailable.
  std::function<MetricValues(const Workload&)> collect;
  std::string description;                ///< "CUPTI 13.0.1 on GH100, 54 metrics in 4 passes"
  std::vector<SelfTestResult> self_test;  ///< kernels of known FLOPs and bytes, counted just now
  /// Takes CUPTI out of the process and says what an empty launch took with it and takes now. The last call.
  std::function<std::string()> close;
};

/// Makes a GPU the current one. Throws DeviceUnavailable.
void use_gpu(const Gpu& gpu);

/// Loads CUPTI and counts the known-answer kernels. Throws CountersUnavailable, one line with the suggestion.
GpuCounting open_counting(const Gpu& gpu);

/// The metrics of a GPU's chip under their names there; empty where CUPTI cannot tell. Needs no permission.
std::vector<ChosenMetric> metrics_of(const Gpu& gpu);

/// One launch under the row's name that profilers are let to see and nothing else of this program: between
/// cudaProfilerStart and cudaProfilerStop, in an NVTX range. Without a profiler it is just a launch.
void launch_for_profilers(const std::string& row, const Workload& work);

/// One launch that a counter sees; waits, as long as instrumented code may take.
void counted_launch(const Workload& work);
/// Brings L2 into the state that a timed launch finds after a launch of the same work: either warm or cold.
void prepare_again(const Workload& work);

/// False once a kernel has hung or destroyed the context: only another process can go on.
bool gpu_usable();

/// A kernel of known FLOPs and bytes on the current device.
struct SelfTestKernel {
  KnownKernel known;
  std::function<void()> prepare;  ///< L2 as a copy leaves it, of lines that nobody reads; waits
  std::function<void()> launch;   ///< waits
};

/// The known-answer kernels, sized for this device: a copy much larger than L2, chains of additions, multiplications
/// and FMAs in FP64 and FP32, a read that uses 8 B of each sector, integer work without a FLOP, packed FP16 (which only
/// informs: whether one counts as one or as two is not documented). Throws std::runtime_error when the device has no
/// memory for them.
std::vector<SelfTestKernel> self_test_kernels(const Gpu& gpu);

}  // namespace roofline
