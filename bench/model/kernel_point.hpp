#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/counts.hpp"
#include "bench/model/judgement.hpp"
#include "bench/model/statistics.hpp"

namespace roofline {

/// One timed sample of a launch.
struct Sample {
  int round = 0;       ///< of the run, from 0
  double start = 0;    ///< seconds since the run began
  double seconds = 0;  ///< of one launch
};

/// A ceiling's own work, sampled between the samples of a kernel: in each round the best rate, in units of the ceiling.
/// On a shared host memory and clock are not the same a second later; what a kernel is compared with is what the
/// machine gave just then.
struct Probe {
  std::string ceiling;        ///< name of its row
  std::vector<double> rates;  ///< one for each round
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
  Interval time;  ///< seconds of one launch: median of the samples, range of the rounds; of a bound that of its bytes
  /// Modelled runs: `time` was not measured, it is what this resource needs at its ceiling, the least possible time.
  std::optional<Resource> bound_by = {};
  std::uint64_t declared_flops = 0;  ///< of one launch, by the formula next to the kernel
  std::vector<Sample> samples = {};  ///< all of them, in the order of the rounds
  std::vector<Probe> probes = {};    ///< of the ceilings that could bind it; empty: compared with the run's ceilings
  /// Seconds of a launch whose data come from the caches that a core has alone, the shortest of some; 0: not measured.
  double in_core = 0;
  double clock = 0;                ///< Hz of a GPU's SMs while it was timed, measured with each sample; 0: not known
  double watts = 0, joules = 0;    ///< of a GPU in a quarter of a second of launches, and of one of these; 0: not known
  std::string tuning = {};         ///< of a tuned row: the one of its tunings that this is about
  std::vector<Trial> trials = {};  ///< by which it was chosen; empty: an earlier run did, or nothing was timed
  int threads = 1;
  bool fma = true;             ///< the build's mode; a contraction-free build is judged against the no-FMA roof
  Assessment assessment = {};  ///< of assess(), when the run is over; empty before

  bool is_bound() const { return bound_by.has_value(); }
  /// Rounds that it was sampled in; 0: nothing was timed.
  int rounds() const { return samples.empty() ? 0 : samples.back().round + 1; }
  /// Of each round the median sample, in seconds.
  std::vector<double> seconds_of_rounds() const;
  /// The shortest sample in seconds; the median where samples are not known.
  double least_seconds() const;
  double flop_rate() const { return static_cast<double>(counts.operations.flops()) / time.median; }
};

}  // namespace roofline
