#pragma once
#include <vector>

#include "bench/machine/topology.hpp"
#include "bench/model/ert_sweep.hpp"

namespace roofline {

/// Parameters of ERT's plateau finder; a level is found when more than minimum_count samples agree on it.
struct PlateauRules {
  double tolerance = 1.05;
  int levels = 10000;
  int minimum_count = 6;
  double merge_factor = 1.15;  ///< 1.25 in ERT's 2018 version
};

/// Plateaus of a curve, fastest first, exactly as ERT 1.1.0 post-processes it (its roofline tool, "sum" step). Because
/// of its start value the first one is practically the largest sample, and a curve without any plateau gives its
/// maximum. Throws std::invalid_argument for an empty curve.
std::vector<double> find_plateaus(const BandwidthCurve& curve, const PlateauRules& rules = {});

/// Plateaus named from the cache geometry: the level that holds most of the working sets whose samples lie on the
/// plateau. A plateau that no sample lies on is left out.
std::vector<LevelPlateau> name_plateaus(const BandwidthCurve& curve, const std::vector<double>& plateaus,
                                        const std::vector<CacheLevel>& caches, int threads,
                                        const PlateauRules& rules = {});

}  // namespace roofline
