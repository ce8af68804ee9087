#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/machine/clock.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// A launch, as it is sampled: so many launches are timed together that one sample is long against the timer.
struct Sampled {
  Timer time;
  int batch = 1;
  double seconds = 0;  ///< of one launch, as it was last seen
};

/// Finds the batch for samples of about `seconds` each. The first launch may be slow: it decides nothing.
Sampled sampled(Timer time, double seconds);

/// One sample, in seconds of one launch. A launch that is not timed comes first: it brings back into the caches what
/// others have driven out. One of 20 ms and more moves so much that this does not matter.
double sample(Sampled& launch);

/// Seconds that a sample of a ceiling takes, and one of a row at least.
inline constexpr double sample_seconds = 5e-3;

/// The ceilings of a run, each set up with the fastest of its variants (chains, unrolling) that leaves the right
/// values. Every sample of a ceiling counts for it, also those that were taken as probes between a kernel's.
class CeilingWorks {
 public:
  /// Tries the variants of a ceiling against one another and keeps the winner; with the `winner` of an earlier run that
  /// one, untried. Returns why none of them is right; empty
  /// where one is. Throws what the variants throw: NoSuchCeiling, std::invalid_argument without the memory for it,
  /// errors of a GPU.
  std::string set_up(const CeilingVariant& variant, const std::string& winner = {});
  bool has(const std::string& name) const { return works_.contains(name); }
  /// What was wrong with the values of a variant that was faster in the trial; empty: nothing.
  const std::string& rejected(const std::string& name) const { return works_.at(name).rejected; }
  /// One sample; the rate in the units of the ceiling, bytes as its kernel was written to move them.
  double sample(const std::string& name, int round);
  /// Samples of a process before this one.
  void recall(const std::string& name, int round, double rate) { works_.at(name).rates.emplace_back(round, rate); }
  /// The median of all samples of a round, wherever they were taken; 0 without one.
  double median_of(const std::string& name, int round) const;
  /// The ceiling with what its samples say: the best of all, the range of the rounds' best, the median.
  Ceiling result(const std::string& name) const;

 private:
  struct Work {
    Ceiling ceiling;
    CeilingWork work;
    Sampled launch;
    double theory = 0, clock = 0;  ///< the highest clock so far, and what it allows; 0: unknown
    std::string rejected;
    std::vector<std::pair<int, double>> rates;  ///< by round
  };

  std::map<std::string, Work> works_;
};

/// A load of some seconds, when power limits and heat have acted: the rate and the clock of its second half. `failure`
/// gets what the verification says.
Ceiling sustained(const CeilingVariant& variant, std::string& failure);

}  // namespace roofline
