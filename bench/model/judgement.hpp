#pragma once
#include <optional>
#include <string>

#include "bench/model/counts.hpp"

namespace roofline {

/// A kernel point held against one roof.
struct Judgement {
  std::optional<double> attainable;  ///< FLOP/s; absent for a kernel without FLOPs
  double efficiency = 0;             ///< achieved / attainable, never clamped; without FLOPs: least / achieved time
  std::string bound;                 ///< "DRAM", "fma", for a mix "DRAM copy", "div", ...
  std::optional<MemoryLevel> level;  ///< that bounds; absent: compute
};

/// A kernel point against its roofline: the roof of the build and best mixes, and the roof of its own mixes.
struct Assessment {
  std::optional<Judgement> roof, mix;
  bool elsewhere = false;  ///< the cores lay otherwise to one another than for the ceilings of L3 and DRAM
  double in_caches = 0;    ///< share of the time that the launch takes with its data in a core's caches; 0: unknown
};

}  // namespace roofline
