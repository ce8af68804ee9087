#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "bench/machine/timer.hpp"
#include "bench/space/real.hpp"

namespace roofline {

class Sampler;

/// The outcome of a verification; the message names index, got, expected and bound.
struct Check {
  bool ok = true;
  std::string message;
};

/// Compares `n` values with a reference: fails at the first one outside `tolerance` x max(|expected|, floor), or not
/// finite.
Check compare(const double* got, const std::function<double(Index)>& expected, Index n, double tolerance,
              double floor = 0);

/// One problem, set up: data allocated and initialised when it is made.
struct Workload {
  std::function<void()> launch;         ///< the timed unit; on a GPU it returns before the work is done
  Timer time = {};                      ///< how launches are timed; empty: by this machine's clock
  std::function<void(Sampler&)> trace;  ///< the same launch in the counting space; empty on a GPU and for ceilings
  std::function<Check()> check;         ///< the buffers that were timed, against an independent reference
  std::uint64_t declared_flops = 0;     ///< analytic FLOPs of a launch (canonical); counted FLOPs must equal it
  double work = 0;                      ///< ceilings: FLOPs or bytes of one launch
  std::string variant;                  ///< ceilings: what was generated, e.g. "12 chains"
  bool cold = false;  ///< the caches are emptied before every timed launch; who counts a launch does the same
  std::function<double()> theory = {};  ///< ceilings: the theoretical rate at the clock during the last launches
  std::function<double()> clock = {};   ///< ceilings: that clock, in Hz
};

/// How its launches are timed.
Timer timer(const Workload& work);

}  // namespace roofline
