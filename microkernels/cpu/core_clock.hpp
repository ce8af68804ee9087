#pragma once
#include "bench/model/ceiling.hpp"
#include "microkernels/cpu/flops_isa.hpp"

namespace roofline {

/// What tells the clock while instructions like those of a compute ceiling run; null where nothing does.
ClockedLoad clocked_load(const Ceiling& ceiling);

/// Mean clock in Hz of `threads` cores that execute it: the median of so many runs of 0.1 ms, after a third as many.
double clock_under(ClockedLoad load, int threads, int runs = 31);

}  // namespace roofline
