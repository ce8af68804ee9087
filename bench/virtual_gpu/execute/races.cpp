#include "bench/virtual_gpu/execute/races.hpp"

#include <algorithm>

namespace roofline::ptx {

void RaceShadow::clear() {
  std::fill(dense_.begin(), dense_.end(), Cell{});
  pages_.clear();
}

RaceShadow::Conflict RaceShadow::note(uint64_t address, const Access& access, bool write,
                                      const std::vector<uint32_t>& seen, bool any_block) {
  if (!sparse_) return judge(dense_[address / 4], access, write, seen, any_block);
  const uint64_t cell = address / 4;
  auto& page = pages_[cell / page_cells];
  if (!page) page = std::make_unique<Page>();
  return judge((*page)[cell % page_cells], access, write, seen, any_block);
}

RaceShadow::Conflict RaceShadow::judge(Cell& cell, const Access& access, bool write, const std::vector<uint32_t>& seen,
                                       bool any_block) {
  const auto concurrent = [&](const Access& other) {
    if (other.clock == 0 || (other.bytes & access.bytes) == 0) return false;
    if (other.block != access.block) return any_block;
    // Lanes of one warp execute one after the other here, as compilers for warp-synchronous code expect.
    return other.warp() != access.warp() && seen[other.warp()] < other.clock;
  };
  Conflict conflict;
  if (concurrent(cell.writer))
    conflict = {true, true, cell.writer};
  else if (write && concurrent(cell.reader))
    conflict = {true, false, cell.reader};
  if (write) {
    cell.writer = access;
  } else if (!concurrent(cell.reader) || cell.reader.block == access.block) {
    cell.reader = access;
  }
  return conflict;
}

}  // namespace roofline::ptx
