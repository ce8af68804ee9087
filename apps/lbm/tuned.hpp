#pragma once
#include "apps/lbm/collide.hpp"

namespace roofline::lbm {

/// A tuning of the tuned collision in moment space: blocks of `packs` packs of sites, see staged.hpp.
struct StagedTuning {
  Version version;
  Index packs;
};

/// The tunings besides v5 itself; the last one has plain stores.
std::vector<StagedTuning> staged_tunings();

/// Packs of a block that the longest has.
inline constexpr Index most_packs = 16;

}  // namespace roofline::lbm
