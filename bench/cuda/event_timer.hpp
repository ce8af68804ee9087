#pragma once
#include <functional>

#include "bench/machine/timer.hpp"

namespace roofline::cuda {

/// Whether a timed launch finds in L2 what the launch before it left there.
enum class Cache {
  hot,   ///< launches follow each other, as sweeps of an application do: the default, and what names say nothing of
  cold,  ///< L2 is emptied before each launch: names end in /cache:cold
};

/// How a batch of hot launches is given to the device.
enum class Batch {
  launches,  ///< one after the other by the host, some microseconds each
  graph,  ///< from 50 on as graphs, so that a short kernel does not wait for the host; only for what execute() launches
};

/// Times launches by CUDA events. A batch of hot launches is one interval, gaps between kernels included; of cold ones
/// each is an interval of its own. Throws Error when a launch fails or hangs.
Timer event_timer(std::function<void()> launch, Cache cache = Cache::hot, Batch batch = Batch::launches);

/// Fills L2 with unmodified lines of a buffer of twice its size, in the order of launches; returns at once.
void empty_l2();

}  // namespace roofline::cuda
