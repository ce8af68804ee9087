#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/machine/machine.hpp"
#include "bench/model/kernel_point.hpp"

namespace roofline {

/// Modelled counts of launches by key_of() their rows, found by earlier runs of this very program on this host.
using KeptCounts = std::map<std::string, Counts>;

/// All that the modelled counts of a row depend on, besides the program, the number of threads and the caches: its
/// name, problem, tuning and declared FLOPs, and the seed of its values.
std::string key_of(const KernelPoint& point, std::uint64_t seed);

/// Empty without such a run, also where another build or a machine with other caches counted. Throws std::exception on
/// a file that is damaged.
KeptCounts kept_counts(const Machine& machine, int threads);

/// Keeps `counts` in the cache folder, in the place of all others. A cache that cannot be written costs no run.
void keep_counts(const KeptCounts& counts, const Machine& machine, int threads);

/// Whether two counts agree in every figure, as integers where they are integers.
bool agree(const Counts& a, const Counts& b);

}  // namespace roofline
