// Stands in for cupti_counting.cpp where the toolkit that the GPU part was built with has no headers of CUPTI, or is
// older than its range profiler, which came with CUDA 12.6.
#include <cuda_runtime_api.h>

#include "bench/counters/unavailable.hpp"
#include "bench/cuda/counting.hpp"

namespace roofline {

GpuCounting open_counting(const Gpu&) {
  throw CountersUnavailable(
      CUDART_VERSION < 12060 ? "this build has no counters: CUPTI's range profiler begins with CUDA 12.6; build with "
                               "a newer toolkit, or give ncu's counts (--describe counters) with --counters=FILE.csv"
                             : "this build has no counters: the toolkit had no headers of CUPTI; install CUPTI there "
                               "and build again");
}

std::vector<ChosenMetric> metrics_of(const Gpu&) { return {}; }

}  // namespace roofline
