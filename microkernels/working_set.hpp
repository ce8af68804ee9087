#pragma once

#include "bench/machine/machine.hpp"
#include "bench/model/counts.hpp"

namespace roofline {

/// Bytes over all threads that a bandwidth ceiling of `level` works on: well inside the level's caches and well beyond
/// the next nearer ones. 0: the machine has no such level, it is too small to be told from the nearer one, or the
/// set would be more than a quarter of the memory.
double ceiling_working_set(const Machine& machine, MemoryLevel level, int threads);

/// The level that holds a working set of `bytes` over all threads: the nearest cache whose share takes a thread's part.
MemoryLevel level_of_working_set(const std::vector<CacheLevel>& caches, double bytes, int threads);

}  // namespace roofline
