// Counting with CUPTI; no_cupti.cpp takes its place where the toolkit has no headers of it.

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

#include "bench/counters/cupti/cupti_profiler.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/cuda/counting.hpp"
#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/machine/clock.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {
namespace {

/// Counting code makes a kernel 50 to 160 times slower (seen on an H200, 0.37 ns per instruction of a warp): above this
/// many seconds the hardware alone counts.
constexpr double slower = 160, longest_counting = 0.4;

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

/// Whether counting code in the launch would take too long. Launches once what has been launched before.
bool too_long(const Workload& work) {
  cuda::finish();
  const auto start = Clock::now();
  counted_launch(work);
  return slower * seconds_since(start) > longest_counting;
}

/// False where the chip has no counter for it.
bool collects(const std::vector<ChosenMetric>& metrics, Quantity quantity) {
  return std::any_of(metrics.begin(), metrics.end(), [&](const ChosenMetric& m) { return m.quantity == quantity; });
}

struct Profiling {
  CuptiLibrary library;
  CuptiProfiler profiler;
  explicit Profiling(int device) : library(load_cupti()), profiler(library.functions, device, current_context()) {}
};

}  // namespace

GpuCounting open_counting(const Gpu& gpu) {
  // CUPTI would be asked about another device, or none. Tests have a library in its place.
  if (runtime::selected() && !std::getenv("ROOFLINE_VIRTUAL_CUPTI"))
    throw CountersUnavailable("a virtual GPU has no hardware counters");
  const auto profiling = std::make_shared<std::optional<Profiling>>();
  const auto& profiler = profiling->emplace(gpu.index).profiler;
  GpuCounting counting;
  const auto& library = (*profiling)->library;
  counting.description = fmt::format("CUPTI {} on {}, {} metrics in {} passes", cupti_version_text(library.version),
                                     profiler.chip(), profiler.metrics().size(), profiler.passes());
  if (!library.passed_over.empty())
    counting.description += fmt::format("; from {}, because {}", library.path, library.passed_over);
  counting.collect = [profiling](const Workload& work) {
    using enum CuptiProfiler::Way;
    const auto way = too_long(work) ? hardware : all;
    return (*profiling)->profiler.collect([&] { prepare_again(work); }, [&] { counted_launch(work); }, way);
  };
  counting.close = [profiling] {
    const double open = cuda::empty_launch_seconds();
    profiling->reset();
    return fmt::format("an empty launch takes {:.2f} us with CUPTI and {:.2f} us without", 1e6 * open,
                       1e6 * cuda::empty_launch_seconds());
  };
  try {
    const auto test = [&](const SelfTestKernel& kernel, KnownKernel known, CuptiProfiler::Way way) {
      if (known.answers.empty()) return;
      const auto values = profiler.collect(kernel.prepare, kernel.launch, way);
      // These kernels do repeat: where both passes differ here, their difference says nothing of other kernels.
      if (const auto once = values[Quantity::instructions])
        known.answers.push_back({Quantity::hardware_instructions, *once, 0.01});
      for (auto& result : compare(known, values))
        if (result.counted || collects(profiler.metrics(way), result.answer.quantity))
          counting.self_test.push_back(std::move(result));
    };
    for (const auto& kernel : self_test_kernels(gpu)) {
      test(kernel, kernel.known, CuptiProfiler::Way::all);
      test(kernel, replaced_by_hardware(kernel.known), CuptiProfiler::Way::hardware);
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

}  // namespace roofline
