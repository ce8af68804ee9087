#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/virtual_gpu/memory/coalescer.hpp"
#include "bench/virtual_gpu/program/slice.hpp"

namespace roofline {

/// A part of a basic block: what goes out before the data of its loads is needed.
struct Phase {
  std::size_t end = 0;  ///< in WarpQueue::lines: its own begin where those of the phase before end
  std::uint16_t requests = 0;
  bool loads = false;
  bool ends = false;    ///< and with it the warp
  ptx::BlockCost cost;  ///< of the basic block, whose last phase this is; else none
};

/// What a warp asks for in the step that it makes, and what it will ask for in the next ones.
struct WarpQueue {
  std::vector<LineAccess> lines;
  std::vector<Phase> phases;
  std::size_t next = 0;             ///< phase
  std::size_t first = 0, sent = 0;  ///< lines of the step

  bool empty() const { return next == phases.size(); }
  void clear() {
    lines.clear();
    phases.clear();
    next = first = sent = 0;
  }
  /// Another step begins.
  void forget_sent() { first = sent; }
  /// Of what has been handed out, only the lines of this step are still needed.
  void keep_step() {
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(first));
    phases.clear();
    next = first = 0;
    sent = lines.size();
  }
};

}  // namespace roofline
