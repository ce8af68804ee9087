// Orders in which the warps that a device holds may go on.
#pragma once
#include "bench/virtual_gpu/memory/running_launch.hpp"

namespace roofline {

/// Runs a launch to its end: an SM's time goes by with what it issues, FP64 instructions next to sectors of L1, and it
/// runs its oldest warp whose loads are there: after the latency of the level that had the slowest, or later where L2
/// or DRAM are saturated.
void run_greedily(RunningLaunch& launch);

/// Runs a launch to its end: the k-th requests of all resident warps go out before the (k+1)-th of any.
void run_round_robin(RunningLaunch& launch);

}  // namespace roofline
