#pragma once
#include <functional>

#include "bench/measure.hpp"

namespace roofline::cuda {

/// Whether a timed launch finds in L2 what the launch before it left there.
enum class Cache {
  hot,   ///< launches follow each other, as sweeps of an application do: the default, and what names say nothing of
  cold,  ///< L2 is emptied before each launch: names end in /cache:cold
};

/// Times launches by CUDA events. A batch of hot launches is one interval, gaps between kernels included; of cold ones
/// each is an interval of its own. Throws Error when a launch fails or hangs.
Timer event_timer(std::function<void()> launch, Cache cache = Cache::hot);

/// Fills L2 with unmodified lines of a buffer of twice its size, in the order of launches; returns at once.
void empty_l2();

}  // namespace roofline::cuda
