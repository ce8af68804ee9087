#pragma once
#include "bench/result/physics.hpp"

namespace roofline {

// What the ceilings of a run say of each other and of theory; physics_checks() has them all.

PhysicsCheck bandwidths_agree(const Results& results);            ///< P1
PhysicsCheck compute_ceilings_plausible(const Results& results);  ///< P2
PhysicsCheck dram_below_theory(const Results& results);           ///< P3

}  // namespace roofline
