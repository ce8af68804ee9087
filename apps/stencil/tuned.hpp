#pragma once
#include <memory>
#include <string>
#include <vector>

#include "apps/stencil/problem.hpp"

namespace roofline::stencil {

/// Where and how a sweep goes.
struct Walk {
  Index rows;  ///< of a block that goes through all planes; three planes of it stay in a cache where three whole planes
               ///< do not
  Index planes = 0;       ///< at once, in whole packs at aligned places; 0: one, pack by pack as it is published
  Index lines_ahead = 0;  ///< of the plane that no other point has read, asked for while a row is computed; 0: none
  bool streams = false;   ///< past the caches
};

/// The walks of the tuned row, first the published one.
std::vector<Walk> tuned_walks(Index n, Index rows_in_l2);
std::string name_of(const Walk& walk, Index n);

/// A sweep with 7 FLOPs per point.
Workload tuned_sweep(const std::shared_ptr<Problem>& problem, const Walk& walk);

}  // namespace roofline::stencil
