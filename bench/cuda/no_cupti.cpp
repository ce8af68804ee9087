// Stands in for cupti_counting.cpp where the toolkit that the GPU part was built with has no headers of CUPTI.
#include "bench/counters/unavailable.hpp"
#include "bench/cuda/counting.hpp"

namespace roofline {

GpuCounting open_counting(const Gpu&) {
  throw CountersUnavailable(
      "this build has no counters: the toolkit had no headers of CUPTI; install CUPTI there and build again");
}

std::vector<ChosenMetric> metrics_of(const Gpu&) { return {}; }

}  // namespace roofline
