#pragma once
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/counts.hpp"
#include "bench/model/judgement.hpp"
#include "bench/model/statistics.hpp"

namespace roofline {

/// The bandwidth of DRAM right before and right after a kernel, relative to its ceiling. On a shared host the memory is
/// not the same a minute later; what a kernel is held against is the memory it had.
struct Pace {
  double before = 1, after = 1;
  double mean() const { return (before + after) / 2; }
  /// The memory was not that of the ceiling while the kernel ran.
  bool differs(double tolerance = 0.05) const { return std::abs(mean() - 1) > tolerance; }
  /// It changed in between: the kernel's median may belong to either.
  bool moved(double tolerance = 0.05) const { return std::abs(after - before) > tolerance * mean(); }
};

/// The pace of equal work in several passes: the harmonic mean, because times are what adds up.
inline Pace pooled(const Pace& a, const Pace& b) {
  return {2 / (1 / a.before + 1 / b.before), 2 / (1 / a.after + 1 / b.after)};
}

/// Two measurements of one kernel, the second when all others had had their turn.
struct Turns {
  Interval first, second;
};

/// A form of a tuned kernel, and how long a launch of it took when it was tried.
struct Trial {
  std::string form;
  double seconds = 0;
};

/// One kernel variant as measured or modelled: a point (or one per level) of the roofline.
struct KernelPoint {
  std::string name;    ///< of the benchmark row: gpp/nw:6/fma:1/stride:4
  std::string family;  ///< gpp
  Counts counts;       ///< of one launch
  Interval time;       ///< seconds of one launch: median and its 95 % interval; of a bound those of its bytes
  /// Modelled runs: `time` was not measured, it is what this resource needs at its ceiling, the least possible time.
  std::string bound_by = {};
  std::uint64_t declared_flops = 0;  ///< of one launch, by the formula beside the kernel
  int samples = 0;
  int replaced = 0;                 ///< samples that were disturbed and taken again, not among `samples`
  bool converged = true;            ///< the interval's half-width reached 1 % of the median
  double contaminated = 0;          ///< share of the samples that were disturbed and had to stay
  std::optional<Turns> turns = {};  ///< absent: measured once
  std::optional<Pace> dram_pace;    ///< where the kernel depends on DRAM and the ceilings are of this run
  bool lone_pace = false;           ///< that is the pace of lone lines, which most of its time at DRAM goes into
  /// The launch kept its time while the pace beside it jumped: dram_pace and paced_time are what held_pace() makes of
  /// it.
  bool pace_refuted = false;
  double core_clock = 0;     ///< Hz that cores busy with vectors kept beside its samples; 0: unknown
  double core_distance = 0;  ///< seconds a signal took from core to core beside them; 0: not looked at, or no matter
  /// Seconds of a launch whose data come from the caches that a core has alone, the shortest of some; 0: not measured.
  double in_caches = 0;
  /// Seconds x pace of DRAM, from pairs of samples some milliseconds apart: the time of a launch had DRAM had the speed
  /// of its ceiling, however both drift. Where dram_pace is known.
  std::optional<Interval> paced_time = {};
  std::optional<Turns> paced_turns = {};  ///< of paced_time; not stored, as the interval holds what they say
  std::vector<double> sample_seconds = {}, sample_paces = {};  ///< raw, of all turns; paces: one beside each sample
  std::string form = {};           ///< of a tuned row: the one of its forms that this is about
  std::vector<Trial> trials = {};  ///< by which it was chosen; empty: an earlier run did, or nothing was timed
  std::string given_up = {};       ///< what was left out of this row to keep the time, in words; empty: nothing
  int threads = 1;
  bool fma = true;             ///< the build's mode; a contraction-free build is judged against the no-FMA roof
  Assessment assessment = {};  ///< of assess(), when the run is over; empty before

  bool is_bound() const { return !bound_by.empty(); }
  double flop_rate() const { return static_cast<double>(counts.operations.flops()) / time.median; }
};

}  // namespace roofline
