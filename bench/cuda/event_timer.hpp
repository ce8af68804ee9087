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

/// What two events around a single launch see of themselves.
struct EventCost {
  double around;  ///< seconds that an empty launch takes longer between two events than as one of many
  double least;   ///< seconds of an empty launch among many

  /// The launch alone: never less than an empty one.
  double of_launch(double interval) const { return std::max(least, interval - around); }
};

/// Times launches by CUDA events. A batch of hot launches is one interval, gaps between kernels included; of cold ones
/// each is an interval of its own, from which what events add to an empty launch is taken away, so that a kernel that
/// reads nothing is as fast cold as hot. How much that is (1 to 2 us are expected) only a GPU can tell; on the virtual
/// one it is an assumption. Throws Error when a launch fails or hangs.
Timer event_timer(std::function<void()> launch, Cache cache = Cache::hot, Batch batch = Batch::launches);

/// Clock of the SMs in Hz during the last interval that any of these timed, measured by an SM itself; 0: unknown, or
/// shorter than 100 us.
double event_clock();

/// Under a profiler, which makes each launch wait, samples that the device came to before the host had queued them are
/// taken instead of refused. Such times are the profiler's; what it counts is what such a run is for.
void take_late_samples();

/// Of the current device: seconds of an empty launch among many, measured now.
double empty_launch_seconds();

/// Fills L2 with unmodified lines of a buffer of twice its size, in the order of launches; returns at once.
void empty_l2();

}  // namespace roofline::cuda
