#pragma once
#include <cstddef>
#include <map>
#include <string>

#include "bench/machine/machine.hpp"

namespace roofline {

/// The fastest variant of a ceiling: its name, and its place among the variants that are tried. Which one is fastest
/// depends on where the cores lie (results/precision).
struct Winner {
  std::string variant;
  std::size_t number = 0;
  double core_distance = 0;  ///< seconds, when the variants were tried; 0: not known
};
using Winners = std::multimap<std::string, Winner>;  ///< by the name of the ceiling, one for each place of the cores

/// The one that was found with the cores about as far apart as now; null without it.
const Winner* winner_of(const Winners& winners, const std::string& ceiling, double core_distance);

/// The winners that earlier runs of this very program found on this host; empty without such a run, or where the file
/// is damaged.
Winners kept_winners(const Machine& machine, int threads);

/// Keeps these next to the levels in the cache folder, in place of those of the same ceiling and place of the cores. A
/// cache that cannot be written costs no run.
void keep_winners(const Winners& found, const Machine& machine, int threads);

}  // namespace roofline
