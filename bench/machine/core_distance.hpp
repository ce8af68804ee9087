#pragma once
#include "bench/machine/machine.hpp"

namespace roofline {

/// Seconds that a signal takes from the core of a thread to that of the next one, each through a cache line of its own,
/// round all `threads` of the pinned team: some 50 ns between cores that share their last cache, 200 and more where
/// they do not. The shortest of three looks, some 10 us together. 0 with one thread, which is nowhere far from itself.
double core_distance(int threads);

/// Whether cores can come to lie otherwise while a program runs: pinned to them it stays where it is, but a hypervisor
/// moves the cores of its guests.
bool cores_may_move(const Machine& machine);

}  // namespace roofline
