#pragma once
#include "bench/machine/machine.hpp"

namespace roofline {

/// Seconds that a cache line takes from the core of a thread to that of the next one, round all `threads` of the pinned
/// team: some 30 ns between cores that share their last cache, 100 and more where they do not. The shortest of three
/// looks, some 10 us together. 0 with one thread, which is nowhere far from itself.
double core_distance(int threads);

/// Whether cores can come to lie otherwise while a program runs: pinned to them it stays where it is, but a hypervisor
/// moves the cores of its guests.
bool cores_may_move(const Machine& machine);

}  // namespace roofline
