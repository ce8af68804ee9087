#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/model/kernel_point.hpp"
#include "bench/sampling/launch_sample.hpp"

namespace roofline {

/// Samples of a kernel in a round; its roofs have one more.
inline constexpr int kernel_samples = 2;

/// The result of one round of a row.
struct RowRound {
  std::vector<Sample> samples;                        ///< of the kernel
  std::map<std::string, std::vector<double>> probes;  ///< rates of each ceiling, before, between and after them
  double clock = 0;                                   ///< Hz of the processor meanwhile; 0: not known
  double core_distance = 0;                           ///< seconds, core_distance() before it; 0: not known
  double cpu_seconds = 0;                             ///< of the calling thread, during a launch; 0: not known
};

/// The samples of a round.
struct RoundParts {
  std::vector<std::string> roofs;       ///< names of the ceilings that could bind the kernel
  bool guessed = false;                 ///< the roofs are guesses, because the kernel is counted later
  int samples = kernel_samples;         ///< of the kernel
  double seconds = sample_seconds;      ///< of one of them: a roof's sample is as long
  std::function<Sample()> kernel = {};  ///< takes a sample of the kernel
  std::function<double(const std::string& roof, double seconds)> roof = {};  ///< the rate of a roof in such a sample
};

/// One round: roof, kernel, roof, kernel, roof. If the roofs are guesses, one of them is sampled at a time. The machine
/// changes from one second to the next, so a kernel is compared with its neighbours. Ends early when the run is
/// interrupted; the round is then of no use.
RowRound sample_between_roofs(const RoundParts& parts);

/// All rounds of one row.
class RowRounds {
 public:
  /// Enters what a round found, in this process or in one before it.
  void add(RowRound found) { rounds_.push_back(std::move(found)); }
  /// Gives a point the samples, probes, time and clock of its rounds, numbered from 0. The time is the median over the
  /// rounds of the best sample. Rounds whose cores did not lie as at the usual distance are set aside, unless all are.
  void put_into(KernelPoint& point, double usual_distance = 0) const;
  const std::vector<RowRound>& all() const { return rounds_; }

 private:
  std::vector<RowRound> rounds_;
};

}  // namespace roofline
