#pragma once
#include <string>

#include "bench/model/counts.hpp"
#include "bench/model/statistics.hpp"

namespace roofline {

/// One kernel variant as measured: a point (or one per level) of the roofline.
struct KernelPoint {
  std::string name;    ///< of the benchmark row: gpp/nw:6/fma:1/stride:4
  std::string family;  ///< gpp
  Counts counts;       ///< of one launch
  Interval time;       ///< seconds of one launch: median and its 95 % interval
  int samples = 0;
  bool converged = true;    ///< the interval's half-width reached 1 % of the median
  double contaminated = 0;  ///< share of the samples during which the machine did something else
  int threads = 1;
  bool fma = true;  ///< the build's mode; a contraction-free build is judged against the no-FMA roof

  double flop_rate() const { return static_cast<double>(counts.operations.flops()) / time.median; }
};

}  // namespace roofline
