#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/counters/perf/event_table.hpp"
#include "bench/machine/topology.hpp"

namespace roofline::perf {

/// The required value of a quantity of a kernel: within `tolerance` x expected, or, if 0 is expected, within
/// `tolerance`.
struct KnownValue {
  CpuQuantity quantity;
  double expected = 0;
  double tolerance = 0;
};

/// A kernel that does one thing, so often that nothing else matters.
struct KnownLaunch {
  std::string name;
  std::function<void()> launch;
  std::vector<KnownValue> answers;
};

/// One answer compared with a count.
struct KnownOutcome {
  std::string kernel;
  KnownValue answer;
  double counted = 0;
  EventCounts events = {};  ///< what `counted` follows from: one launch, all threads and units
  bool passed() const;
  /// "flops_fp64: 1.05e+06 instead of 2.1e+06 (-50.0 %) for packs of 8 FP64"
  std::string text() const;
};

/// Additions and multiplications in packs of every width, fused multiply-adds, loads alone, loads and stores, streaming
/// stores, integers: at least two kernels a quantity, as an event that leaves out a width or a unit passes one of them;
/// and loops of known instructions and cycles. `threads` threads run it. Levels whose size is not known have no
/// kernels. `largest_cache`: bytes of all last-level caches together, which sets in DRAM exceed by a factor of four.
std::vector<KnownLaunch> known_launches(int threads, const std::vector<CacheLevel>& caches, double largest_cache);

/// The result of a self-test: the outcomes, and the reasons why quantities cannot be trusted.
struct SelfTested {
  std::vector<KnownOutcome> outcomes;
  std::vector<std::string> refused;  ///< one line each: the quantity, the expected value, the kernel
  std::vector<Formula> passed;
};

/// Holds formulas against kernels. `count` gives what a formula's events count in one launch; throws
/// CountersUnavailable where it cannot. A formula for which no kernel is known is refused, too.
SelfTested self_test(const std::vector<Formula>& formulas, const std::vector<KnownLaunch>& kernels,
                     const std::function<EventCounts(const Formula&, const KnownLaunch&)>& count);

}  // namespace roofline::perf
