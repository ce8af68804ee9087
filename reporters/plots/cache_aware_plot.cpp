#include <fmt/format.h>

#include <stdexcept>

#include "bench/model/assessment.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {
namespace {

/// The point with the bytes of L1 alone, compared with the bandwidth of L1.
KernelPoint at_the_core(const KernelPoint& whole, const Roofline& roofline) {
  auto point = at_level(whole, MemoryLevel::L1);
  point.assessment = assess(roofline, point);
  return point;
}

}  // namespace

std::string cache_aware_plot(const Results& results) {
  auto at_core = results;
  at_core.points.clear();
  std::size_t skipped = 0;
  for (const auto& point : results.points)
    if (point.counts.intensity(MemoryLevel::L1))
      at_core.points.push_back(at_the_core(point, results.roofline));
    else
      ++skipped;
  if (at_core.points.empty()) throw std::invalid_argument("--view=cache-aware: no row has FLOPs and bytes of L1");
  PlotWords words{"Cache-aware: " + plot_title(results), plot_subtitle(results), {}};
  words.caption = {
      "Every point lies at the bytes that the core loads and stores (L1), wherever they come from: it does not move "
      "when they come from further away, it sinks. A line is what its level could deliver if all of them came from "
      "there.",
      "%: of min(compute ceiling of the build, AI x best bandwidth of L1), never clamped."};
  if (skipped > 0) words.caption.push_back(fmt::format("{} rows without FLOPs or bytes of L1 are left out.", skipped));
  words.units.x = "Arithmetic intensity of the core's accesses [FLOP/B]";
  return svg_plot(at_core, words);
}

}  // namespace roofline
