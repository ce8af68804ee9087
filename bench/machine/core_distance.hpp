#pragma once

namespace roofline {

/// Seconds that a cache line takes from one thread of the OpenMP team to its neighbour (threads 0 and 1, 2 and 3, ...):
/// the mean over the pairs of the shortest of some tries. 0 for one thread, or where the threads did not run at the
/// same time. Takes less than a millisecond.
///
/// Hypervisors move virtual cores between the caches of a processor. Two cores then share one last-level cache and its
/// way to memory, or each has its own: on a Zen 4 guest 28 ns and reads at 35 GB/s, or 170 ns and 60 GB/s
/// (results/precision).
double core_distance(int threads);

/// Whether the cores lay alike at two distances; where one is unknown (0) they count as alike.
bool lay_alike(double distance, double other);

}  // namespace roofline
