#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/levels/ladder.hpp"
#include "bench/machine/machine.hpp"

namespace roofline {

/// Makes a probe whose sets are at most `most` bytes per thread; made only where a ladder is climbed.
using MakeProbe = std::function<ReadProbe(int threads, double most)>;

/// The levels of an earlier run of this host become the machine's, where they were kept: costs nothing, measures
/// nothing. Else what the machine declares stays.
void recall_levels(Machine& machine, int threads);

/// Finds the levels of this machine for a team of `threads`, which is pinned already, and makes them the machine's:
/// those that were kept, where a short ladder (0.5 s) does not deny them; else a ladder of some seconds decides, and is
/// kept. Where only the last cache's edge is nearer than it was, the nearer one counts from now on: sets of a level fit
/// in both then, and sets of DRAM exceed both. Returns what is to be said, a line each. Never throws: where no ladder
/// can be climbed, what the machine declares stays, with a line.
std::vector<std::string> measure_levels(Machine& machine, int threads, const MakeProbe& make);

}  // namespace roofline
