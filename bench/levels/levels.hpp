#pragma once
#include <string>
#include <vector>

#include "bench/levels/ladder.hpp"
#include "bench/machine/machine.hpp"

namespace roofline {

/// Bytes of a cache for one of `threads` threads that spread over the machine's caches of this level.
double cache_share(const CacheLevel& cache, int threads);

/// The caches that a ladder of `threads` threads shows, from the core outwards; `declared` is what the machine says. It
/// is a hypothesis: the geometry of a declared cache is taken where the ladder falls by 1.1 x between half and
/// 1.5 times its share of a thread. Elsewhere a cache ends where the ladder does, has 8 ways (16 beyond L2), and is
/// shared as the declared one of its name (an L3 of which nothing is said: by all threads). A declared last cache that
/// is too large for the ladder, and that the ladder shows no other in place of, stays as declared. A flat ladder shows
/// nothing: then all stay.
std::vector<CacheLevel> caches_of(const std::vector<Rung>& ladder, const std::vector<CacheLevel>& declared,
                                  int threads);

/// Whether a later ladder shows the same: as many caches, each share within a factor of 1.5; the last one may be larger
/// (a hypervisor moves the cores: two threads have one last cache, or two).
bool confirms(const std::vector<CacheLevel>& now, const std::vector<CacheLevel>& kept, int threads);

/// Where `caches` are not those that the machine declares: "L3 28 MiB measured; the machine says 508 MiB"; empty where
/// they are.
std::string disagreement(const std::vector<CacheLevel>& caches, const std::vector<CacheLevel>& declared);

/// Notes how many threads of a run share a core, and so its caches: two where there are more threads than cores.
void share_cores(Machine& machine, int threads);

/// Bytes of a set that is `times` as large as the last cache of all threads. A smaller cache counts as 32 MiB,
/// because a guest may own more of it than a ladder shows next to its neighbours.
double beyond_caches(const Machine& machine, double times);

/// Makes them the caches of the machine, from which sets, problem sizes, the cache model and all tables follow.
void set_levels(Machine& machine, std::vector<CacheLevel> caches, int threads, std::string origin);

}  // namespace roofline
