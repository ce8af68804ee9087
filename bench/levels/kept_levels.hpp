#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "bench/levels/ladder.hpp"
#include "bench/machine/machine.hpp"

namespace roofline {

/// What is kept of a host between runs, so that sets, sizes and modelled bytes stay the same from one to the next.
struct KeptLevels {
  std::vector<CacheLevel> caches;
  std::vector<Rung> ladder;  ///< that showed them
};

/// $XDG_CACHE_HOME/roofline, or ~/.cache/roofline; absent where neither variable names a folder.
std::optional<std::filesystem::path> cache_folder();

/// The file of a host and a number of threads; absent where there is no folder for it.
std::optional<std::filesystem::path> kept_levels_file(const Machine& machine, int threads);

/// Those of an earlier run; absent where there are none, or where the file is of another host or damaged.
std::optional<KeptLevels> read_kept_levels(const Machine& machine, int threads);

/// Keeps them for the next run. Returns why not, in one line; empty: they are kept.
std::string keep_levels(const Machine& machine, int threads, const KeptLevels& levels);

}  // namespace roofline
