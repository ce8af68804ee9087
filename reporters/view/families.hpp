#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/roofline.hpp"
#include "bench/text/table.hpp"
#include "reporters/drawing/axes.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {

/// Points of a family that differ in one numeric argument only, in its order: a line in a plot.
struct Sweep {
  std::string name;  ///< the arguments all of them have: "fma:1"
  std::vector<const Member*> members;
};

/// A small plot of one family: sweeps over one argument, or without one a sweep of length one per point.
struct SweepPlot {
  std::string title;  ///< "gpp over nw (stride:1)"
  std::string key;    ///< "nw"; empty: not a sweep
  std::vector<Sweep> sweeps;
};

/// The small plots that show a family: one per numeric argument that is swept: with at least three values, or
/// two that are a factor of two apart.
///
/// A plot of one argument holds the other swept ones where the family's arithmetic intensity is highest (gpp: nw at
/// stride 1, stride at the largest nw): counts decide, so two runs give the same plots. A family without such an
/// argument is one plot of its points. Points without FLOPs have no place on a roofline and are left out.
std::vector<SweepPlot> sweep_plots(const FamilyGroup& group);

/// The part of a member's name that sets `key`: "nw:6"; empty when it does not.
std::string argument_part(const Member& member, const std::string& key);

/// From this many points on, a plot of all kernels shows families: single numbers would cover each other.
inline constexpr std::size_t crowded_from = 61;
inline bool is_crowded(const std::vector<KernelPoint>& points) { return points.size() >= crowded_from; }

/// The family of single kernels, which come from a profile.
inline constexpr const char* single_kernels = "kernels";

/// The groups of group_by_family() as pictures show them: names of at most 44 characters, and where there are more than
/// 16 families, those of one kernel together (of a profile each kernel is a family). The points must outlive them.
std::vector<FamilyGroup> groups_to_plot(const std::vector<KernelPoint>& points);

/// A kernel has a place on a roofline when it has FLOPs and a time.
bool drawable(const KernelPoint& point);

/// A family in one line: its drawable members, or all of them if none is drawable.
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

/// Heading, kernels, range of FLOP/B, highest GFLOP/s, range of the percentage of the roof: the cells of every legend.
std::vector<std::string> cells_of(const FamilySummary& family);

/// Adds rows to a table, each family below its heading and each point by its label; `cells` are the others of a point,
/// none to leave it out.
void add_by_family(Table& table, const std::vector<KernelPoint>& points,
                   const std::function<std::vector<std::string>(const KernelPoint&)>& cells);

}  // namespace roofline
