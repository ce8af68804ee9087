#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// The breakdown's verdict on a measured time.
enum class Explained {
  no,        ///< a rest of more than a tenth of it goes into what has no ceiling here
  yes,       ///< it is made up of the core's part, memory's and fork-join, less their overlap: between largest and sum
  too_fast,  ///< one part needs at least a tenth more than the time: its ceiling or count is wrong
};

/// A part of a measured time.
struct TimePart {
  const char* name;  ///< "core alone", "core and memory", "memory alone", "fork-join", "rest"
  double seconds = 0;
};

/// "core alone 22 %, memory alone 70 %, a rest of 8 %": whole percents that sum to 100; parts of nothing are left out.
std::string in_percents(const std::vector<TimePart>& parts);

/// The parts of a kernel's time, at the ceilings of its own mix.
///
/// Each resource by itself takes at least so long; the roofline has all of them overlap, and the time is the largest.
/// With no overlap it is a sum, and in it every byte counts once, at the level that serves it: the ceiling of a level
/// is measured into registers, with the way through the nearer levels. Arithmetic, instructions and loads from L1 are
/// of one core's units, which work side by side. (The two ends of the execution-cache-memory model, Stengel et al., ICS
/// 2015.) Where a launch was measured with its data in the caches of the core, that is what the core needs.
struct TimeBreakdown {
  std::optional<double> compute;                ///< seconds of the instruction mix
  std::array<std::optional<double>, 4> levels;  ///< seconds of all of the traffic, indexed by MemoryLevel
  std::array<std::optional<double>, 4> served;  ///< of these for bytes that do not come there from the level beyond
  std::optional<double> unpaired;               ///< of those of DRAM for unpaired lines; absent: there are none
  double pairing = 1;                           ///< how many times as fast these lines would come as a stream
  std::optional<double> split, gathered;        ///< of those of L1 for split loads and gathers; absent: there are none
  std::optional<double> front_end;              ///< seconds of the instructions, where they were counted
  std::optional<double> regions;                ///< seconds to start threads and wait for them
  std::optional<double> in_core;                ///< measured: with the data in the caches of the core

  /// The core's time with data in its own caches: measured, or the largest of arithmetic, instructions and L1, and the
  /// data from L2.
  double core() const;
  /// The time of data from L3 and DRAM.
  double beyond() const;
  double largest() const;
  /// The sum of the parts: of the core, beyond it, regions.
  double sum() const;
  /// overlap: seconds in which two parts ran at once, by which the sum of the parts exceeds the measured time. rest:
  /// seconds that the sum lacks, which no ceiling here describes. So core + beyond + regions - overlap + rest is the
  /// measured time.
  double overlap(double seconds) const;
  double rest(double seconds) const;
  Explained explains(double seconds) const;
  /// The measured seconds in parts that do not overlap and sum to them; empty where nothing is known, or where a
  /// resource needs more than the time.
  std::vector<TimePart> parts(double seconds) const;
};

/// From this share of the time on a number is not explained: the machine was another one while it was measured.
inline constexpr double disturbed_from = 1.05;

/// The ceiling of a point's arithmetic at a moment: the ceiling of its mix, or, if its kinds are not known, the build's
/// ceiling, which is the highest possible.
std::optional<Bound> compute_bound(const Roofline& roofline, const KernelPoint& point, const Moment& moment = {});

/// The breakdown of a point, each resource at the rate that its probe typically had. The resource that the assessment
/// names has the share that the assessment gives it, and no other resource has more. Absent: resources without counts
/// or ceiling, and a launch from the core's caches that took longer than the launch itself.
TimeBreakdown time_breakdown(const Roofline& roofline, const KernelPoint& point);

/// One row per point: the share of its measured time that each resource needs by itself, and the parts that make it up.
Table time_breakdown_table(const Results& results);

}  // namespace roofline
