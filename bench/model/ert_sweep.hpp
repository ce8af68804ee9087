#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/model/counts.hpp"

namespace roofline {

/// The result of a sweep: bandwidth over working set, in ascending order of working sets.
struct BandwidthCurve {
  std::vector<double> working_set;  ///< bytes over all threads
  std::vector<double> bandwidth;    ///< any unit; plateaus come in the same
};

/// One working set of a sweep, measured with the largest number of trials that was run.
struct ErtRow {
  double working_set = 0;  ///< bytes over all threads
  std::int64_t trials = 0;
  double seconds = 0;  ///< of all trials: the median of the experiments
  double bytes = 0, flops = 0;

  double bandwidth() const { return bytes / seconds; }
  double flop_rate() const { return flops / seconds; }
};

/// ERT's sweep over working sets for one number of FLOPs per element.
struct ErtSweep {
  int flops_per_element = 0;
  int threads = 1;     ///< of a CPU
  std::string launch;  ///< of a GPU: "264 x 1024", blocks x threads of a block
  std::vector<ErtRow> rows;
  bool complete = true;  ///< false: the time was up before the largest working set
  std::string failure;   ///< the first element that is not exactly -1; empty when all are

  BandwidthCurve curve() const {
    BandwidthCurve curve;
    for (const auto& row : rows)
      curve.working_set.push_back(row.working_set), curve.bandwidth.push_back(row.bandwidth());
    return curve;
  }
  double best_flop_rate() const {
    double best = 0;
    for (const auto& row : rows) best = std::max(best, row.flop_rate());
    return best;
  }
};

/// A plateau and the memory level that it belongs to by the size of its working sets.
struct LevelPlateau {
  MemoryLevel level = MemoryLevel::DRAM;
  double bandwidth = 0;
  double smallest = 0, largest = 0;  ///< working sets of the samples within tolerance, bytes over all threads
};

/// ERT's result of its sweeps: the best FLOP rate of all, and the plateaus of the sweep with the largest weight, named
/// from the cache geometry.
struct ErtResult {
  std::vector<ErtSweep> sweeps;
  double flop_rate = 0;
  int bandwidth_flops_per_element = 0;  ///< the sweep that the plateaus are from
  std::vector<LevelPlateau> levels;
  double weight = 0;
};

/// ERT's weight of a curve: its trapezoid integral over ln(working set).
inline double curve_weight(const BandwidthCurve& curve) {
  double weight = 0;
  for (std::size_t j = 1; j < curve.bandwidth.size(); ++j)
    weight += (curve.bandwidth[j] + curve.bandwidth[j - 1]) / 2 *
              (std::log(curve.working_set[j]) - std::log(curve.working_set[j - 1]));
  return weight;
}

/// For each number of FLOPs per element the sweep with the largest weight, in their order.
inline std::vector<const ErtSweep*> heaviest(const std::vector<ErtSweep>& sweeps) {
  std::vector<const ErtSweep*> best;
  for (const auto& sweep : sweeps) {
    const auto same = std::find_if(best.begin(), best.end(), [&](const ErtSweep* other) {
      return other->flops_per_element == sweep.flops_per_element;
    });
    if (same == best.end())
      best.push_back(&sweep);
    else if (curve_weight(sweep.curve()) > curve_weight((*same)->curve()))
      *same = &sweep;
  }
  return best;
}

}  // namespace roofline
