#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tools/mpi/cores.hpp"
#include "tools/mpi/windows.hpp"

namespace roofline::mpi {

/// Writes the run.json of this rank, in a folder of its own in `out`, with what it measured in common windows (`window:
/// common`): `roofline cluster` may add such rates up. The rate of a ceiling is that in the sample whose sum was best.
/// Throws FileError.
void write_rank_run(const std::filesystem::path& out, const World& world, const Cores& cores,
                    const std::vector<CommonWindows>& windows, const std::string& date);

}  // namespace roofline::mpi
