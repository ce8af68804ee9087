#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "bench/model/roofline.hpp"
#include "bench/run/measure.hpp"
#include "bench/run/suite.hpp"

namespace roofline {

/// Measures a ceiling: a short trial of each of its generated variants names the winner, which is measured in full and
/// then verified; where it is wrong the next one is taken. Rate in FLOP/s or B/s with its 95 % interval. `failure` gets
/// what the verification says where all are wrong. `placement` is looked at where the ceiling depends on it; null: is
/// not.
/// Throws what the variants throw: NoSuchCeiling, std::invalid_argument without the memory for it, errors of a GPU.
Ceiling measure_ceiling(const CeilingVariant& variant, const Budget& budget, std::string* failure,
                        Placement* placement = nullptr);

/// One of its variants, without a trial of the others.
Ceiling measure_variant(const CeilingVariant& variant, std::size_t number, const Budget& budget, std::string& failure,
                        Placement* placement = nullptr);

/// Asks how fast DRAM is now.
class DramProbe {
 public:
  /// `suite` must outlive it.
  explicit DramProbe(const Suite& suite) : suite_(suite) {}
  /// Tells, by one launch of some milliseconds, the bandwidth of a measured ceiling's access mix relative to its rate;
  /// empty where the suite cannot measure it. Throws std::invalid_argument without the memory for it. `elsewhere`: the
  /// cores lie otherwise than for the ceiling, and another of its variants may be the fastest; they are tried once.
  std::function<double()> pace(const Ceiling& ceiling, bool elsewhere = false);

 private:
  const CeilingWork* made(const Ceiling& ceiling, bool elsewhere);

  const Suite& suite_;
  /// By the ceiling's name and whether it is for elsewhere; they share the memory that they work on.
  std::map<std::pair<std::string, bool>, CeilingWork> made_;
};

/// Least seconds of the traffic that leaves the cores' own caches, of L3 or of DRAM, whatever takes longer; 0: none is
/// known.
double shared_seconds(const Roofline& roofline, const Counts& counts);

/// Least seconds of the DRAM traffic at the ceiling of its mix; 0 when either is unknown.
double dram_seconds(const Roofline& roofline, const Counts& counts);

/// The pace of DRAM beside a point and its paced time, relative to the ceilings of `now` instead of `before`.
void rescale_pace(KernelPoint& point, const Roofline& before, const Roofline& now);

}  // namespace roofline
