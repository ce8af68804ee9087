#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/virtual_gpu/memory/coalescer.hpp"
#include "bench/virtual_gpu/program/slice.hpp"

namespace roofline {

/// A part of a basic block: the requests that it sends before it needs the data of its loads.
struct Phase {
  std::size_t end = 0;  ///< in WarpQueue::lines: its own begin where those of the phase before end
  std::uint16_t requests = 0;
  bool loads = false;
  bool ends = false;    ///< and with it the warp
  ptx::BlockCost cost;  ///< of the basic block, whose last phase this is; else none
};

/// The requests of a warp in its current step and in the following ones.
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
  /// Drops the requests that have been handed out, except the lines of this step, which are still needed.
  void keep_step() {
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(first));
    phases.clear();
    next = first = 0;
    sent = lines.size();
  }
};

}  // namespace roofline
