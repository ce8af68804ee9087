#include "bench/cuda/counting.hpp"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nvtx3/nvToolsExt.h>

#include <memory>

#include "bench/counters/cupti/cupti_profiler.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/cuda/self_test.hpp"
#include "bench/machine/clock.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {
namespace {

constexpr double instrumented_seconds = 280;  // until a launch counts as hung

/// Counting code makes a kernel 50 to 160 times slower (seen on an H200, 0.37 ns per instruction of a warp): above this
/// many seconds the hardware alone counts.
constexpr double slower = 160, longest_counting = 4;

void launch(const Workload& work) {
  work.launch();
  cuda::finish(instrumented_seconds);
}

/// Leaves in L2 what a timed launch finds there, after a launch of the same: that, or nothing of it.
void prepare_again(const Workload& work) {
  if (!work.cold) return;
  cuda::empty_l2();
  cuda::finish();
}

/// The runtime's context, by the driver's function that the runtime knows: libcuda is not linked.
CUcontext current_context() {
  cudaFree(nullptr);  // makes it
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  CUcontext context = nullptr;
  if (cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &function, 4000, cudaEnableDefault, &found) != cudaSuccess ||
      found != cudaDriverEntryPointSuccess ||
      reinterpret_cast<decltype(&::cuCtxGetCurrent)>(function)(&context) != CUDA_SUCCESS || !context)
    throw CountersUnavailable("the driver gives no context to count in; update it");
  return context;
}

/// Whether counting code in the launch would take too long. Launches it once or twice.
bool too_long(const Workload& work) {
  const auto seconds = [&] {
    cuda::finish();
    const auto start = Clock::now();
    launch(work);
    return seconds_since(start);
  };
  // A first launch may have loaded its code before.
  return slower * seconds() > longest_counting && slower * seconds() > longest_counting;
}

struct Profiling {
  CuptiLibrary library;
  CuptiProfiler profiler;
  explicit Profiling(int device) : library(load_cupti()), profiler(library.functions, device, current_context()) {}
};

}  // namespace

void use_gpu(const Gpu& gpu) {
  if (const auto status = cudaSetDevice(gpu.index); status != cudaSuccess)
    throw DeviceUnavailable(fmt::format("cuda:{} ({}): {}; see nvidia-smi for who uses it, or use --device=cpu",
                                        gpu.index, gpu.name, cudaGetErrorString(status)));
}

GpuCounting open_counting(const Gpu& gpu) {
  // CUPTI would be asked about another device, or none.
  if (runtime::selected()) throw CountersUnavailable("a virtual GPU has no hardware counters");
  const auto profiling = std::make_shared<const Profiling>(gpu.index);
  const auto& profiler = profiling->profiler;
  GpuCounting counting;
  const auto version = profiling->library.version;
  counting.description =
      fmt::format("CUPTI {}.{}.{} on {}, {} metrics in {} passes", version / 10000, version / 100 % 100, version % 100,
                  profiler.chip(), profiler.metrics().size(), profiler.passes());
  counting.collect = [profiling](const Workload& work) {
    using enum CuptiProfiler::Way;
    const auto way = too_long(work) ? hardware : all;
    return profiling->profiler.collect([&] { prepare_again(work); }, [&] { launch(work); }, way);
  };
  try {
    using enum CuptiProfiler::Way;
    for (const auto& kernel : self_test_kernels(gpu)) {
      for (auto& result : compare(kernel.known, profiler.collect(kernel.prepare, kernel.launch)))
        counting.self_test.push_back(std::move(result));
      const auto again = replaced_by_hardware(kernel.known);
      if (again.answers.empty()) continue;
      for (auto& result : compare(again, profiler.collect(kernel.prepare, kernel.launch, hardware)))
        counting.self_test.push_back(std::move(result));
    }
  } catch (const CountersUnavailable&) {
    throw;
  } catch (const std::exception& failure) {
    throw CountersUnavailable(fmt::format("{}: counters that were not tested are not used", failure.what()));
  }
  return counting;
}

std::vector<ChosenMetric> metrics_of(const Gpu& gpu) {
  try {
    const auto library = load_cupti();
    const CuptiInitialized initialized(library.functions);
    const CuptiHost host(library.functions, chip_name(library.functions, gpu.index, initialized));
    return choose_metrics([&](const std::string& name) { return host.has(name); });
  } catch (const std::exception&) {
    return {};
  }
}

void launch_for_profilers(const std::string& row, const Workload& work) {
  launch(work);
  prepare_again(work);
  cudaProfilerStart();
  cudaGetLastError();  // without a profiler it is an error that the launch would be blamed for
  nvtxRangePushA(row.c_str());
  launch(work);
  nvtxRangePop();
  cudaProfilerStop();
  cudaGetLastError();
}

bool gpu_usable() { return cuda::usable(); }

}  // namespace roofline
