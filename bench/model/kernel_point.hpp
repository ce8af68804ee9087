#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/model/counts.hpp"
#include "bench/model/statistics.hpp"

namespace roofline {

/// A kernel point compared with one roof.
struct Judgement {
  std::optional<double> attainable;  ///< FLOP/s; absent for a kernel without FLOPs
  double efficiency = 0;  ///< achieved / attainable; without FLOPs: least / achieved time. Above 1: all of the range is
  Resource bound;         ///< the one that needs most
  std::optional<MemoryLevel> level;  ///< that bounds; absent: compute
  /// The 95 % interval of the efficiency over the rounds, and 2 % more for what runs differ by; absent: fewer than
  /// rounds_of_95_percent.
  std::optional<Interval> range = {};
  int rounds = 0;    ///< that the efficiency is of
  int left_out = 0;  ///< rounds whose roof was disturbed

  /// Half of the range relative to the efficiency, both above 0.
  double half_width() const { return (range->high - range->low) / 2 / efficiency; }
  /// The efficiency is known to a twentieth of itself.
  bool resolved() const { return range && efficiency > 0 && half_width() <= resolved_half_width; }

  static constexpr double resolved_half_width = 0.05;
};

/// The fewest rounds whose smallest and largest value are a 95 % interval of their median: 1 - 2 / 2^6 = 96.9 %.
inline constexpr int rounds_of_95_percent = 6;

/// A kernel point compared with its roofline: the roof of the build and best mixes, and the roof of its own mixes.
struct Assessment {
  std::optional<Judgement> roof, mix;
  double in_core = 0;  ///< share of the time that the launch takes with its data in a core's caches; 0: unknown
};

/// One timed sample of a launch.
struct Sample {
  int round = 0;        ///< of the run, from 0
  double start = 0;     ///< seconds since the run began
  double seconds = 0;   ///< of one launch
  double launches = 1;  ///< timed together; below 1: a part of one

  double timed() const { return seconds * launches; }  ///< what the timer saw
};

/// The shortest sample of each round, in seconds; 0: a round has none.
inline std::vector<double> best_of_rounds(const std::vector<Sample>& samples) {
  std::vector<double> best(samples.empty() ? 0 : static_cast<std::size_t>(samples.back().round) + 1, 0);
  for (const auto& sample : samples) {
    auto& of_round = best.at(static_cast<std::size_t>(sample.round));
    of_round = of_round > 0 ? std::min(of_round, sample.seconds) : sample.seconds;
  }
  return best;
}

/// A ceiling's own work, sampled before, between and after the samples of a kernel, in units of the ceiling. On a
/// shared host memory and clock are not the same a second later, so a kernel is compared with what the machine gave
/// just then.
struct Probe {
  std::string ceiling;                            ///< name of its row
  std::vector<double> rates = {};                 ///< the best of each round; 0: it was not sampled in that one
  std::vector<std::vector<double>> samples = {};  ///< of each round; empty: not kept
};

/// Rounds before which the cores lay at another distance than usual. Their samples are compared with those of another
/// run whose cores lay as here, and nothing else is computed from them.
struct RoundsElsewhere {
  double core_distance = 0;          ///< seconds, core_distance() before the first of them
  std::vector<Sample> samples = {};  ///< numbered from 0
  std::vector<Probe> probes = {};
};

/// A tuning of a tuned kernel, and how long a launch of it took when it was tried.
struct Trial {
  std::string tuning;
  double seconds = 0;
};

/// One kernel variant as measured or modelled: a point (or one per level) of the roofline.
struct KernelPoint {
  std::string name;          ///< of the benchmark row: gpp/nw:6/fma:1/stride:4
  std::string family;        ///< gpp
  std::string problem = {};  ///< its size where the name does not tell it: "n:16777216"
  Counts counts;             ///< of one launch
  /// Seconds of one launch: the median over the rounds of the best sample, and its interval. A bound has the time of
  /// its bytes.
  Interval time;
  /// Modelled runs: `time` was not measured, it is what this resource needs at its ceiling, the least possible time.
  std::optional<Resource> bound_by = {};
  std::uint64_t declared_flops = 0;  ///< of one launch, by the formula next to the kernel
  std::vector<Sample> samples = {};  ///< in the order of the rounds, which are numbered from 0
  std::vector<Probe> probes = {};    ///< of the ceilings that could bind it; empty: compared with the run's ceilings
  std::vector<RoundsElsewhere> elsewhere = {};  ///< an element for each other distance of the cores
  /// Seconds of a launch whose data come from the caches that a core has alone, the shortest of some; 0: not measured.
  double in_core = 0;
  double cpu_seconds = 0;          ///< of the calling thread, of a launch; 0: not known
  double clock = 0;                ///< Hz of a GPU's SMs while it was timed, measured with each sample; 0: not known
  double watts = 0, joules = 0;    ///< of a GPU in a quarter of a second of launches, and of one of these; 0: not known
  std::string tuning = {};         ///< of a tuned row: the one of its tunings that this is about
  std::vector<Trial> trials = {};  ///< by which it was chosen; empty: an earlier run did, or nothing was timed
  int threads = 1;
  bool rate_only = false;      ///< a file told its rate and no time: counts and `time` are of one second of it
  bool fma = true;             ///< the build's mode; a contraction-free build is judged against the no-FMA roof
  Assessment assessment = {};  ///< of assess(), when the run is over; empty before

  bool is_bound() const { return bound_by.has_value(); }
  /// Rounds that it was sampled in; 0: nothing was timed.
  int rounds() const { return samples.empty() ? 0 : samples.back().round + 1; }
  /// The best sample of each round, in seconds.
  std::vector<double> seconds_of_rounds() const { return best_of_rounds(samples); }
  /// The shortest sample in seconds; the median where samples are not known.
  double least_seconds() const;
  /// Seconds of a launch to show; not a number where nobody measured them.
  double known_seconds() const { return rate_only || !(time.median > 0) ? std::nan("") : time.median; }
  double flop_rate() const { return static_cast<double>(counts.operations.flops()) / time.median; }
};

inline double KernelPoint::least_seconds() const {
  double least = samples.empty() ? time.median : samples.front().seconds;
  for (const auto& sample : samples) least = std::min(least, sample.seconds);
  return least;
}

}  // namespace roofline
