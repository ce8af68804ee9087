#pragma once
#include <filesystem>
#include <functional>
#include <optional>
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

/// Finds the levels of this machine for a team of `threads`, which is pinned already, and makes them the machine's.
/// Kept levels are used if a run of the last ten minutes had them or a short ladder (0.5 s) does not contradict them.
/// Otherwise a ladder of some seconds decides, and its result is kept. If only the last cache's edge is nearer than
/// before, the nearer one counts from now on, because then sets of a level fit in both and sets of DRAM exceed both.
/// Returns messages, a line each. Never throws: if a ladder cannot be measured, the declared caches stay, with a line.
std::vector<std::string> measure_levels(Machine& machine, int threads, const MakeProbe& make);

/// Facts of a host that are kept between runs, so that sets, sizes and modelled bytes stay the same.
struct KeptLevels {
  std::vector<CacheLevel> caches;
  std::vector<Rung> ladder;  ///< that showed them
};

/// $XDG_CACHE_HOME/roofline, or ~/.cache/roofline; absent where neither variable names a folder.
std::optional<std::filesystem::path> cache_folder();

/// The file of a host (its fingerprint and its node_name(): equal nodes share a home) and a number of threads; absent
/// where there is no folder for it.
std::optional<std::filesystem::path> kept_levels_file(const Machine& machine, int threads);

/// The levels of an earlier run; absent if there is none, or if the file is from another host or damaged.
std::optional<KeptLevels> read_kept_levels(const Machine& machine, int threads);

/// Keeps them for the next run. Returns why not, in one line; empty: they are kept.
std::string keep_levels(const Machine& machine, int threads, const KeptLevels& levels);

}  // namespace roofline
