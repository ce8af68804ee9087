#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/model/kernel_point.hpp"
#include "bench/model/roofline.hpp"

namespace roofline {

/// The machine's typical rates while a point was sampled, from its probes.
Moment typical_moment(const Roofline& roofline, const KernelPoint& point);

/// Whether a rate of a ceiling is so far below its best of the run (1.5 times) that the cores were disturbed. Memory
/// changes its speed for seconds, which rows at DRAM share with their roof, so no rate of DRAM is.
bool is_disturbed(const Ceiling& ceiling, double rate);

/// Compares a point with the ceilings; empty where they do not apply (none measured, another thread count, no time, a
/// time that is itself a bound).
///
/// In each round the best sample is compared with min(F, B_l I_l) (Roofline::attainable and attainable_mix), where each
/// ceiling has the best rate of its samples in that round. The efficiency is the middle of the rounds
/// (middle_interval(); below six rounds their median), with its exact interval, widened by 2 % for what runs differ by:
/// this estimator repeats from run to run as found and next to other load (results/precision). A round whose roof was
/// disturbed is left out for rows in caches. A kernel without FLOPs is compared by time: max over the levels of
/// bytes_l / B_l against the measured one.
Assessment assess(const Roofline& roofline, const KernelPoint& point);

/// Stores with each point how it is judged: once, when the points of a run are all there. A point of another number of
/// threads is compared with the ceilings of as many, where there are any.
void assess(const Roofline& roofline, std::vector<KernelPoint>& points);

/// Whether a bound can be told: bytes are known at a level that has a roof, or none moved. Without them a launch may
/// wait for memory as well as for arithmetic.
bool can_be_judged(const Roofline& roofline, const Counts& counts);

/// The largest efficiency at which a point still counts as "at the roof"; where its whole range lies above, a count or
/// the model is wrong.
inline constexpr double at_roof_limit = 1.03;
bool above_roof(const Assessment& assessment);
/// The largest share of a roof that cannot be above 1, the lower end of its range; 0 where none says that.
double highest_share(const Assessment& assessment);

/// Whether a share of more than 1 would be a contradiction. Not so of split loads: these are counted in vectors of 64
/// B, whatever those of the CPU are.
bool is_proven(const Judgement& judgement);
/// Whether a launch is hardly faster in the caches of the core (nor slower by 5 %, which is disturbed), and what the
/// ceilings name is not why: memory that needs less than 90 % of the time and less than the core, or a unit of the core
/// that is busy for less than four fifths of it. Then the core binds, by a part for which there is no ceiling.
bool core_bounds(const Assessment& assessment);
/// The bound's name in tables: the roof's, or the mix's if it is a resource that the roof does not know (unpaired
/// lines, gathers, split loads, fork-join, front end, divisions), or the core; empty if nothing judges.
std::string what_bounds(const Assessment& assessment);

/// The possible reasons of an efficiency above the limit: one sentence for footnotes and messages.
extern const char* const above_roof_causes;

/// Bytes of a level per second; absent when the level is unknown.
std::optional<double> bandwidth(const KernelPoint& point, MemoryLevel level);

/// The outermost level at which an intensity is known: DRAM where everything is.
std::optional<MemoryLevel> outermost_level(const Counts& counts);

/// The level whose bandwidth a table shows: the one that bounds, or where compute does, the outermost known one.
std::optional<MemoryLevel> reported_level(const KernelPoint& point, const Assessment& assessment);

}  // namespace roofline
