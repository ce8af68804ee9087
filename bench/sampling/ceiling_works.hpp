#pragma once
#include <map>
#include <string>
#include <vector>

#include "bench/sampling/launch_sample.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// A group of samples of a ceiling, one after the other: next to a row, or in a round of its own.
struct Visit {
  std::vector<double> rates;
  double core_distance = 0;  ///< seconds, core_distance() before it; 0: not known
  double of_fma = 0;         ///< see Ceiling; 0: not known
  double theory = 0;         ///< of the ceiling at the clock then; 0: unknown
  double clock = 0;          ///< Hz of a GPU's SMs then; 0: unknown
};

/// A ceiling with what its visits say: the median of the best samples of each, and the smallest and largest of these.
/// Visits while the cores did not lie as at the usual distance do not count, unless all are such. The rate is also
/// without visits that were disturbed (is_disturbed()), unless more than two thirds were. The clock moves: the theory
/// of the best rate is the highest one.
Ceiling measured(Ceiling ceiling, const std::vector<Visit>& visits, double usual_distance = 0);

/// The ceilings of a run, each set up with the fastest of its variants (chains, unrolling) that leaves the right
/// values.
class CeilingWorks {
 public:
  /// Tries the variants of a ceiling against one another and keeps the winner. With the `winner` of an earlier run it
  /// takes that one without a trial, and looks for it at the place `number` first. Returns why none of them is right;
  /// empty where one is. Throws what the variants throw: NoSuchCeiling, std::invalid_argument without the memory for
  /// it, errors of a GPU. A ceiling that is `known` already from elsewhere is set up as that says, and sampled in its
  /// bytes.
  std::string set_up(const CeilingVariant& variant, const std::string& winner = {}, std::size_t number = 0);
  std::string set_up(const CeilingVariant& variant, const Ceiling& known);
  bool has(const std::string& name) const { return works_.contains(name); }
  /// Without a rate, and with the variant that won.
  const Ceiling& ceiling(const std::string& name) const { return works_.at(name).ceiling; }
  /// The error in the values of a variant that was faster in the trial; empty: none.
  const std::string& rejected(const std::string& name) const { return works_.at(name).rejected; }
  /// The rate of one sample of about `seconds`, in the units of the ceiling; bytes as its kernel was written to move
  /// them, or as set_up() was told.
  double sample(const std::string& name, double seconds = sample_seconds);
  /// A visit of some samples.
  Visit visit(const std::string& name, double core_distance = 0);
  /// Seconds in all samples so far.
  double sampled_seconds() const { return sampled_seconds_; }

 private:
  struct Work {
    Ceiling ceiling;
    CeilingWork work;
    Sampled launch;
    std::string rejected;
    double account = 1;  ///< bytes that a rate counts for each that the kernel states
  };

  /// A visit of FMAs with a division: see Ceiling::of_fma.
  Visit visit_in_turns(const std::string& name, const std::string& fma);

  std::map<std::string, Work> works_;
  double sampled_seconds_ = 0;
};

/// A load of some seconds, when power limits and heat have acted: the rate and the clock of its second half. `failure`
/// gets what the verification says.
Ceiling sustained(const CeilingVariant& variant, std::string& failure);

}  // namespace roofline
