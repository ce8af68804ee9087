#pragma once
#include "bench/machine/machine.hpp"

namespace roofline {

/// This machine as the ceilings, the counts and the tables of one process see it. `measure`: its levels are measured
/// now, once, with all usable cores, which takes up to 0.5 s, and 3 s the first time; else they are those of an
/// earlier run, or as the machine declares them. What there is to say about that goes to standard error.
Machine library_machine(bool measure);

}  // namespace roofline
