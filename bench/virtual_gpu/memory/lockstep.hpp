#pragma once
#include "bench/virtual_gpu/memory/running_launch.hpp"

namespace roofline {

/// Runs a launch to its end: the k-th requests of all resident warps go out before the (k+1)-th of any.
void run_in_lockstep(RunningLaunch& launch);

}  // namespace roofline
