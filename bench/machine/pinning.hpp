#pragma once
#include "bench/machine/machine.hpp"

namespace roofline {

/// Sets the number of OpenMP threads and pins one to each usable core, so that a thread finds the memory that it
/// touched first. Leaves the placement alone when OMP_PROC_BIND says how (libgomp reads it before main starts).
void pin_threads(const Machine& machine, int threads);

}  // namespace roofline
