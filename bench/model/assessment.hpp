#pragma once
#include <optional>
#include <string>

#include "bench/model/kernel_point.hpp"
#include "bench/model/roofline.hpp"

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
};

/// Bandwidth of DRAM beside the point relative to its ceiling; 1 where it was not measured.
double dram_pace(const KernelPoint& point);

/// Judges a point by the ceilings, that of DRAM at the pace it had beside the point; empty where they do not apply
/// (none measured, another thread count, no time, a time that is itself a bound).
///
/// P / min(F, B_l I_l) with Roofline::attainable and attainable_mix. A kernel without FLOPs has no such roof: it is
/// judged by time, max over the levels of bytes_l / B_l against the measured one, and the level of the maximum bounds.
Assessment assess(const Roofline& roofline, const KernelPoint& point);

/// The largest efficiency at which a point still counts as "at the roof"; above it something is wrong and explained.
inline constexpr double at_roof_limit = 1.05;
bool above_roof(const Assessment& assessment);

/// More than this share of disturbed samples makes a point invalid.
inline constexpr double contamination_limit = 0.2;

/// What can be behind an efficiency above the limit: one sentence for footnotes and messages.
extern const char* const above_roof_causes;

/// Bytes of a level per second; absent when the level is unknown.
std::optional<double> bandwidth(const KernelPoint& point, MemoryLevel level);

/// The outermost level at which an intensity is known: DRAM where everything is.
std::optional<MemoryLevel> outermost_level(const Counts& counts);

/// The level whose bandwidth a table shows: the one that bounds, or where compute does, the outermost known one.
std::optional<MemoryLevel> reported_level(const KernelPoint& point, const Assessment& assessment);

}  // namespace roofline
