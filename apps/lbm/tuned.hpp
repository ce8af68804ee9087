#pragma once
#include "apps/lbm/collide.hpp"

namespace roofline::lbm {

/// A form of the tuned collision in moment space: blocks of `packs` packs of sites, see staged.hpp.
struct StagedForm {
  Version version;
  Index packs;
};

/// The forms besides v5 itself; the last one has plain stores.
std::vector<StagedForm> staged_forms();

/// Packs of a block that the longest has.
inline constexpr Index most_packs = 16;

}  // namespace roofline::lbm
