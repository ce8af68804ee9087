#pragma once
#include <string>
#include <vector>

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

}  // namespace roofline
