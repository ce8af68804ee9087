#include "bench/space/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace roofline {

Timer timer(const Runnable& work) { return work.time ? work.time : host_timer(work.launch); }

Check compare_blocks(const double* got, const ExpectedBlock& expected, Index n, double tolerance, double floor) {
  constexpr Index block = 512;
  Index first_bad = n;
#pragma omp parallel for schedule(static) reduction(min : first_bad)
  for (Index first = 0; first < n; first += block) {
    std::array<double, block> wanted;
    const std::span want(wanted.data(), static_cast<std::size_t>(std::min(block, n - first)));
    expected(first, want);
    for (std::size_t i = 0; i < want.size(); ++i) {
      const double bound = tolerance * std::max(std::abs(want[i]), floor);
      const auto at = first + static_cast<Index>(i);
      // An infinite reference would have an infinite bound.
      if (!(std::abs(got[at] - want[i]) <= bound) || !std::isfinite(want[i])) first_bad = std::min(first_bad, at);
    }
  }
  if (first_bad == n) return {};
  double want = 0;
  expected(first_bad, {&want, 1});
  return {false, fmt::format("element {}: got {:.17g}, expected {:.17g} within {:.3g}", first_bad, got[first_bad], want,
                             tolerance * std::max(std::abs(want), floor))};
}

}  // namespace roofline
