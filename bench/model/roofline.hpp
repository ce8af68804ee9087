#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/model/kernel_point.hpp"

namespace roofline {

/// The smallest of a point's bounds.
struct Bound {
  double rate = 0;                   ///< attainable FLOP/s
  Resource resource;                 ///< whose bound it is
  std::optional<MemoryLevel> level;  ///< absent: compute
  const Ceiling* ceiling = nullptr;  ///< behind it, of this roofline
};

/// The time that a level needs by itself for the traffic of a launch.
struct LevelTime {
  double seconds = 0;
  double unpaired = 0;               ///< of these for unpaired lines of DRAM
  double pairing = 1;                ///< how many times as fast these lines would come as a stream
  double split = 0, gathered = 0;    ///< of these for loads of L1 that cross the end of a line, that are gathered
  Resource resource = {};            ///< what most of it goes into
  const Ceiling* ceiling = nullptr;  ///< of that, of this roofline
};

/// The machine's rates in one round, relative to the ceilings of the run. A shared host changes the bandwidth of its
/// memory and the frequency of its cores within seconds.
struct Moment {
  double dram = 1;                      ///< bandwidth of DRAM, of streams
  std::optional<double> unpaired = {};  ///< the same of unpaired lines; absent: not known
  double l3 = 1;                        ///< bandwidth of a shared L3
  double core = 1;                      ///< what cores do by themselves: arithmetic, L1, L2, instructions
  double regions = 1;                   ///< parallel regions per second
};

/// The part of the machine that a ceiling stands for: its probe tells the factor of a Moment.
double& part_of(Moment& moment, const Ceiling& ceiling);

/// The rate of a ceiling at a moment.
double rate_at(const Ceiling& ceiling, const Moment& moment);

/// The ceilings of one device for one thread count. Sustained ceilings stand next to the roofs but are not roofs.
///
/// P <= min(F, B_l I_l) over the levels l (Williams et al., CACM 2009; hierarchical form: Yang et al., NERSC). The roof
/// of a level is its best access mix; every mix is kept, and attainable_mix() uses the one a kernel resembles.
class Roofline {
 public:
  Roofline() = default;
  Roofline(std::vector<Ceiling> ceilings, int threads) : ceilings_(std::move(ceilings)), threads_(threads) {}

  const std::vector<Ceiling>& ceilings() const { return ceilings_; }
  int threads() const { return threads_; }
  bool empty() const { return ceilings_.empty(); }

  /// Best full-ILP ceiling of an operation over instruction sets, for all threads; null when it was not measured.
  /// Instructions on whole matrices are apart (see tensor()): no kernel reaches them by its instruction mix.
  const Ceiling* compute(Operation operation, const std::string& precision = "fp64") const;
  /// Best full-rate ceiling of instructions on whole matrices ("tensor", "tensor:wgmma.m64n256k16", ...) of a
  /// precision; null when there is none.
  const Ceiling* tensor(const std::string& precision) const;
  /// Best of the mixes read, write, copy, triad, update of a level; null when none was measured.
  const Ceiling* bandwidth(MemoryLevel level) const;
  /// Instructions per second that the front ends deliver; null when it was not measured.
  const Ceiling* front_end() const;
  /// Parallel regions per second that do nothing but start all threads and wait for them; null when not measured.
  const Ceiling* fork_join() const;
  /// One mix of a level.
  const Ceiling* bandwidth(MemoryLevel level, Mix mix) const;
  /// The mix of a level whose shares of written bytes, and of those of streaming stores, are nearest to these (0..1).
  const Ceiling* matching_mix(MemoryLevel level, double written_share, double streamed_share = 0) const;
  /// Time of a level's traffic at the ceiling of the access mix that it resembles, of unpaired lines at that of reads
  /// which skip every second line, where it is lower, and of loads of L1 that are split or gathered at that of such
  /// loads; absent without traffic or ceiling.
  std::optional<LevelTime> level_time(MemoryLevel level, const Counts& counts, const Moment& moment = {}) const;
  /// Ridge point F / B in FLOP/B of the FMA ceiling and a level; absent when either is.
  std::optional<double> ridge(MemoryLevel level) const;

  /// Attainable FLOP/s of counts: the FMA ceiling (contraction-free builds: the no-FMA ceiling) and the best mixes, all
  /// at their rates of that moment. For an unknown precision: absent unless memory bounds both double and single.
  std::optional<Bound> attainable(const Counts& counts, bool fma, const Moment& moment = {}) const;
  /// The same with the ceiling of the instruction mix and, at each level, of the matching access mix; where
  /// instructions were counted also that of the front end, where parallel regions were that of fork-join. Absent where
  /// the kinds of the operations are not known.
  std::optional<Bound> attainable_mix(const Counts& counts, const Moment& moment = {}) const;
  /// The ceiling of the access mix of DRAM that counts, without their unpaired lines, resemble; null when they have no
  /// traffic there, or no ceiling.
  const Ceiling* matching_dram(const Counts& counts) const;
  /// The ceilings that could bind a launch: the one for which it needs the longest time, and ceilings of other parts of
  /// the machine for which it needs at least 0.8 of that time.
  std::vector<const Ceiling*> binding(const Counts& counts, bool fma) const;
  /// The number of FMAs that could have gone through their units in the place of one division. It follows from the time
  /// that the ceiling of FMAs next to divisions takes beyond its FMAs alone, and is at most the time of a division by
  /// itself. Absent if it was not measured, or if the FMAs waited for the divider.
  std::optional<double> division_slots(const std::string& precision = "fp64") const;
  /// Compute ceiling in FLOP/s of a mix of operations.
  ///
  /// Every instruction takes an issue slot of the units that execute it, so the time is at least, for each group of
  /// units, instructions / measured rate of the group: {FMA, MUL}, {ADD}, all of these together, and the divider, which
  /// works next to them and takes square roots, none faster than a division. Where it was measured that divisions take
  /// slots of {FMA, MUL} (see division_slots), these count there, too. Together: where additions have pipes of their
  /// own, at the measured mul+add rate, which then exceeds that of FMAs; on shared pipes each FMA at the rate of FMAs
  /// and each other one at that of instructions without FMA. Without divisions the latter is the weighted ceiling of
  /// the NERSC talk, (1 + alpha) / (2 alpha / F_fma + (1 - alpha) / F_nofma), (1 + alpha)/2 F_fma where F_fma is twice
  /// F_nofma.
  std::optional<Bound> compute_mix(const Operations& operations, const std::string& precision,
                                   const Moment& moment = {}) const;
  /// Seconds of the parallel regions of counts at the ceiling of fork-join; absent where either is unknown.
  std::optional<double> region_time(const Counts& counts, const Moment& moment = {}) const;

 private:
  /// An amount that a launch needs of a resource which is neither arithmetic nor memory.
  struct Need {
    Resource::Kind resource;
    double amount;
    const Ceiling* ceiling;
  };
  std::vector<Need> other_needs(const Counts& counts) const;
  /// The time of L1, with the loads that have a ceiling of their own apart.
  std::optional<LevelTime> l1_time(const Counts& counts, const Moment& moment) const;
  /// The fastest of a kind that `matches`; null when there is none.
  template <class Matches>
  const Ceiling* best(Ceiling::Kind kind, Matches matches) const;
  bool is_ours(const Ceiling& ceiling) const {
    return ceiling.threads == threads_ && !ceiling.sustained && !ceiling.external;
  }

  std::vector<Ceiling> ceilings_;
  int threads_ = 1;
};

/// The time that the slowest resource of a launch needs at its ceiling: a faster run is impossible if the counts and
/// ceilings hold.
struct LeastTime {
  double seconds = 0;
  Resource bound;  ///< a level of memory, fork-join, or the units of compute_mix()
};

/// max(instructions / ceiling of their mix, bytes of each level / ceiling of the access mix they resemble,
/// parallel regions / ceiling of fork-join).
///
/// `executed` are the instructions of the launch, divisions expanded where the device does so. Absent when no ceiling
/// bounds the launch.
std::optional<LeastTime> least_time(const Roofline& roofline, const Counts& counts, const Operations& executed);

/// Counts whose bytes are the low or the high end of their intervals.
Counts at_end(Counts counts, double Span::*end);

}  // namespace roofline
