#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/roofline.hpp"
#include "reporters/drawing/axes.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {

/// From this many points on, a plot of all kernels shows families: single numbers would cover each other.
inline constexpr std::size_t crowded_from = 61;
inline bool is_crowded(const std::vector<KernelPoint>& points) { return points.size() >= crowded_from; }

/// A kernel has a place on a roofline when it has FLOPs and a time.
bool drawable(const KernelPoint& point);

/// A family in one line: of its drawable members, or of all where none is.
struct FamilySummary {
  const FamilyGroup* group = nullptr;
  LogRange intensity;             ///< FLOP/B at the outermost known level
  double best_rate = 0;           ///< FLOP/s; 0: none has FLOPs
  const Member* best = nullptr;   ///< by the fraction of the roof; without roofs the fastest
  const Member* worst = nullptr;  ///< by the fraction of the roof; absent without roofs, or where it is the best one
  std::optional<double> best_efficiency, worst_efficiency;
};

/// The groups must outlive the summaries.
std::vector<FamilySummary> summarise(const std::vector<FamilyGroup>& groups);

/// Heading, kernels, range of FLOP/B, highest GFLOP/s, range of the percentage of the roof: what every legend shows.
std::vector<std::string> cells_of(const FamilySummary& family);

}  // namespace roofline
