// The order of basic blocks in which a warp's fragments meet again.
//
// A warp runs the fragment that is at the least block. Where all edges but those back to loop headers go forward, and
// the blocks of a loop lie together, a fragment at the immediate post-dominator of a branch waits until the others have
// arrived: all blocks in between are less. (Running fragments by such priorities is known as thread frontiers; Diamos
// et al. 2011. It meets at the post-dominator or earlier.) A loop with several ways back gets one block at its end
// through which all of them go, so that lanes that "continue" wait for those still in the body.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace roofline::ptx {

/// A piece of straight code, [first, end) of nodes.
struct FlowBlock {
  uint32_t first = 0, end = 0;
  std::vector<uint32_t> successors;  // blocks
  int64_t falls_into = -1;           // the successor that needs no branch, or -1
};

struct PlacedBlock {
  static constexpr uint32_t none = ~0u;
  uint32_t block = none;    // a FlowBlock
  uint32_t jump_to = none;  // or only a jump to this placed block
};

struct Placement {
  std::vector<PlacedBlock> order;
  std::vector<uint32_t> place_of;                                           // by FlowBlock
  std::vector<std::pair<std::pair<uint32_t, uint32_t>, uint32_t>> latches;  // (from, header) -> placed latch

  /// Where a branch from one FlowBlock to another goes.
  uint32_t target(uint32_t from, uint32_t to) const;
};

/// The first block is the entry.
Placement place(const std::vector<FlowBlock>& blocks);

}  // namespace roofline::ptx
