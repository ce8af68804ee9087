#pragma once
#include <algorithm>
#include <functional>

#include "bench/machine/clock.hpp"

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

/// The time that two events around a single launch add.
struct EventCost {
  double around;  ///< seconds that an empty launch takes longer between two events than as one of many
  double least;   ///< seconds of an empty launch among many

  /// The launch alone: never less than an empty one.
  double of_launch(double interval) const { return std::max(least, interval - around); }
};

/// Times launches by CUDA events. A batch of hot launches is one interval, gaps between kernels included. Each cold
/// launch is an interval of its own. The time that events add to an empty launch is subtracted from it, so that a
/// kernel that reads nothing is as fast cold as hot. Only a GPU can tell this time (1 to 2 us are expected); on the
/// virtual one it is an assumption. Throws Error when a launch fails or hangs.
Timer event_timer(std::function<void()> launch, Cache cache = Cache::hot, Batch batch = Batch::launches);

/// Clock of the SMs in Hz during the last interval that any of these timed, measured by an SM itself; 0: unknown, or
/// shorter than 100 us.
double event_clock();

/// A profiler makes each launch wait, so the device reaches samples before the host has queued them. Under a profiler
/// such samples are accepted. Their times belong to the profiler, but such a run only needs the profiler's counts.
void take_late_samples();

/// Seconds of an empty launch among many on the current device, measured now.
double empty_launch_seconds();

/// Fills L2 with unmodified lines of a buffer of twice its size, in the order of launches; returns at once.
void empty_l2();

}  // namespace roofline::cuda
