#include "bench/space/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofline {

Timer timer(const Runnable& work) { return work.time ? work.time : host_timer(work.launch); }

Check compare(const double* got, const std::function<double(Index)>& expected, Index n, double tolerance,
              double floor) {
  Index first_bad = n;
#pragma omp parallel for schedule(static) reduction(min : first_bad)
  for (Index i = 0; i < n; ++i) {
    const double want = expected(i), bound = tolerance * std::max(std::abs(want), floor);
    if (!(std::abs(got[i] - want) <= bound)) first_bad = std::min(first_bad, i);
  }
  if (first_bad == n) return {};
  const double want = expected(first_bad);
  return {false, fmt::format("element {}: got {:.17g}, expected {:.17g} within {:.3g}", first_bad, got[first_bad], want,
                             tolerance * std::max(std::abs(want), floor))};
}

}  // namespace roofline
