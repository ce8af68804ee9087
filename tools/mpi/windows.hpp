#pragma once
#include <string>
#include <vector>

#include "bench/machine/machine.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/model/statistics.hpp"
#include "tools/mpi/world.hpp"

namespace roofline::mpi {

/// A ceiling that all ranks measured in the same windows of time, so that their rates may be added up.
struct CommonWindows {
  std::string row;      ///< of the ceiling on one rank
  Ceiling ceiling;      ///< that ceiling, without its result
  bool bytes = false;   ///< B/s, else FLOP/s
  std::string variant;  ///< what was generated, on rank 0
  Interval sum;         ///< over the ranks, of the samples
  double best = 0;      ///< sum of the best sample, as of a ceiling
  double slowest = 0;   ///< median of the slowest rank
  int slowest_rank = 0;
  std::vector<double> rates;     ///< of each rank, the median
  std::vector<double> at_best;   ///< of each rank in the best sample: their sum is `best`
  double seconds = 0;            ///< of a sample
  double skew = 0;               ///< median difference of the ranks' begins in a sample, in seconds
  int samples = 0, retaken = 0;  ///< taken again, as begins differed too much
  std::string wrong;  ///< why the results of a rank are wrong; empty: they are right, and only then is there a rate
};

struct WindowOptions {
  int samples = 31;
  int trials = 3;        ///< windows of a quarter of the length for each generated variant
  double seconds = 0.1;  ///< of a sample
  int threads = 1;       ///< of each rank
};

/// FMA and the DRAM triad. `machine` has the cores of this rank. All ranks call it. Samples whose begins differ by more
/// than 2 % of their length are taken again, three times as many at most.
std::vector<CommonWindows> common_windows(World& world, Clocks& clocks, const Machine& machine,
                                          const WindowOptions& options);

/// The work within a window from launches that run one after the other. `ends` are the ends of the launches; the first
/// began at `begin`. A launch that lies partly within counts by its share, as if it went on evenly.
double work_within(double work_of_one, double begin, const std::vector<double>& ends, double from, double to);

}  // namespace roofline::mpi
