#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "bench/machine/clock.hpp"
#include "bench/space/real.hpp"

namespace roofline {

class Sampler;

/// The outcome of a verification; the message names index, got, expected and bound.
struct Check {
  bool ok = true;
  std::string message;
};

/// Writes the reference of elements first, first + 1, ...; called by several threads.
using ExpectedBlock = std::function<void(Index first, std::span<double> expected)>;
/// compare() of a reference that comes in blocks.
Check compare_blocks(const double* got, const ExpectedBlock& expected, Index n, double tolerance, double floor);

/// Compares `n` values with a reference, expected(i): fails at the first one outside `tolerance` x max(|expected|,
/// floor), or not finite.
template <class Expected>
Check compare(const double* got, const Expected& expected, Index n, double tolerance, double floor = 0) {
  // By blocks: a call that the compiler cannot look into would cost more than most references.
  const auto block = [&](Index first, std::span<double> values) {
    for (auto& value : values) value = expected(first++);
  };
  return compare_blocks(got, block, n, tolerance, floor);
}

/// The same launch in the counting space, on a CPU.
using Trace = std::function<void(Sampler&)>;

/// Work that is set up: data allocated and initialised when it is made.
struct Runnable {
  std::function<void()> launch;  ///< the timed unit; on a GPU it returns before the work is done
  Timer time = {};               ///< how launches are timed; empty: by this machine's clock
  std::function<Check()> check;  ///< the buffers that were timed, against an independent reference
};

/// A launch whose data come from the core's own caches.
struct InCore {
  /// Seconds of a launch, known by one of about `parts` parts of it (see Pass); empty: not to be had.
  std::function<double(Index parts)> seconds = {};
  double chunk_bytes = 0;  ///< that one chunk reads and writes: they must fit the last cache of a core
};

/// Gives a function that launches the next of about `parts` equal parts of a launch and returns its share of a launch.
using Divided = std::function<std::function<double()>(Index parts)>;

/// One problem of a kernel.
struct Workload : Runnable {
  std::uint64_t declared_flops = 0;  ///< analytic FLOPs of a launch (canonical); counted FLOPs must equal it
  bool cold = false;  ///< the caches are emptied before every timed launch; a source of counts does the same
  Trace trace = {};   ///< how the model of a CPU sees the launch; empty where there is none
  InCore in_core = {};
  Divided divided = {};                ///< empty: a launch is always whole
  std::function<double()> clock = {};  ///< of the processor in Hz, during what was timed last; 0: unknown
};

/// One generated variant of a ceiling.
struct CeilingWork : Runnable {
  double work = 0;      ///< FLOPs or bytes of one launch
  std::string variant;  ///< what was generated, e.g. "12 chains"
  /// Its data lie in a cache, from which others may have driven them out: a launch that is not timed comes first.
  bool from_cache = true;
  std::function<double()> theory =
      {};  ///< the theoretical rate at the clock now, or of the last launches where a device tells it
  std::function<double()> clock = {};  ///< that clock, in Hz
};

/// How its launches are timed.
Timer timer(const Runnable& work);

}  // namespace roofline
