#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/model/kernel_point.hpp"
#include "bench/model/roofline.hpp"

namespace roofline {

/// Bandwidth of DRAM beside the point relative to its ceiling; 1 where it was not measured.
double dram_pace(const KernelPoint& point);
/// The machine while it was measured.
Moment moment_of(const KernelPoint& point);
/// The ceiling that its pace is relative to; null where none is measured, or it has no traffic there.
const Ceiling* paced_ceiling(const Roofline& roofline, const KernelPoint& point);

/// Judges a point by the ceilings, that of DRAM at the pace it had beside the point; empty where they do not apply
/// (none measured, another thread count, no time, a time that is itself a bound).
///
/// P / min(F, B_l I_l) with Roofline::attainable and attainable_mix. A kernel without FLOPs has no such roof: it is
/// judged by time, max over the levels of bytes_l / B_l against the measured one, and the level of the maximum bounds.
Assessment assess(const Roofline& roofline, const KernelPoint& point);

/// Stores with each point how it is judged: once, when the points of a run are all there. A point of another number of
/// threads is held against the ceilings of as many, where there are any.
void assess(const Roofline& roofline, std::vector<KernelPoint>& points);

/// The largest efficiency at which a point still counts as "at the roof"; above it something is wrong and explained,
/// unless the cores lay elsewhere beside the point.
inline constexpr double at_roof_limit = 1.05;
bool above_roof(const Assessment& assessment);
/// The largest share of a roof that cannot be above 1; 0 where none says that.
double highest_share(const Assessment& assessment);

/// Whether a share of more than 1 would be a contradiction. Not so of split loads: these are counted in vectors of 64
/// B, whatever those of the CPU are.
bool is_proven(const Judgement& judgement);
/// Whether DRAM lines of which only one of a pair comes in are what limits.
bool is_of_lone_lines(const Judgement& judgement);
/// Whether a launch is hardly faster with its data in the caches of the core, and what the ceilings name is not why:
/// memory that needs less of the time than the core does, or a unit of the core that is busy for less than four fifths
/// of it. What binds is the core, of which no ceiling here says which part.
bool core_bounds(const Assessment& assessment);
/// What tables call the bound: that of the roof, or the mix's where it is a resource that the roof does not know (lone
/// lines, gathers, split loads, fork-join, front end), or the core; empty where nothing judges.
std::string what_bounds(const Assessment& assessment);

/// A point whose interval is wider than this, as +- of its median, is marked.
inline constexpr double wide_interval = 0.05;

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
