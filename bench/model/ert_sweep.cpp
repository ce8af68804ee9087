#include "bench/model/ert_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {

BandwidthCurve ErtSweep::curve() const {
  BandwidthCurve curve;
  for (const auto& row : rows) curve.working_set.push_back(row.working_set), curve.bandwidth.push_back(row.bandwidth());
  return curve;
}

double ErtSweep::best_flop_rate() const {
  double best = 0;
  for (const auto& row : rows) best = std::max(best, row.flop_rate());
  return best;
}

double curve_weight(const BandwidthCurve& curve) {
  double weight = 0;
  for (std::size_t j = 1; j < curve.bandwidth.size(); ++j)
    weight += (curve.bandwidth[j] + curve.bandwidth[j - 1]) / 2 *
              (std::log(curve.working_set[j]) - std::log(curve.working_set[j - 1]));
  return weight;
}

std::vector<const ErtSweep*> heaviest(const std::vector<ErtSweep>& sweeps) {
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
