#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "bench/machine/machine.hpp"
#include "tools/mpi/windows.hpp"
#include "tools/mpi/world.hpp"

namespace roofline::mpi {

/// The cores of this rank, and those of all ranks of its node together.
struct Cores {
  Machine own, whole;
  int threads = 1;       ///< of this rank: its cores, or what was asked for
  std::string conflict;  ///< why ranks are in one another's way; empty: they are not
};

/// Shares the cores of a node out to its ranks, as roofline_bench does, and pins this rank's threads. Memory and last
/// caches count as shared out, too: the sets of all ranks together are then those of one process. `threads` 0: as many
/// as there are cores for each rank. All ranks call it. Throws std::invalid_argument, WrongThreads.
Cores share_cores_out(World& world, int threads);

/// Writes the run.json of this rank, in a folder of its own in `out`, with what it measured in common windows (`window:
/// common`): `roofline cluster` may add such rates up. The rate of a ceiling is that in the sample whose sum was best.
/// Throws FileError.
void write_rank_run(const std::filesystem::path& out, const World& world, const Cores& cores,
                    const std::vector<CommonWindows>& windows, const std::string& date);

}  // namespace roofline::mpi
