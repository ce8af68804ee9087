#pragma once
#include <string>
#include <vector>

#include "bench/options/options.hpp"

namespace roofline {

/// The command line of one run of a sweep: the sweep's, with this number of threads and a folder of its own,
/// OUT/threads-N.
std::vector<std::string> arguments_of_run(const Options& options, int threads, int argc, const char* const* argv);

/// Runs this program once for each number of threads, one after the other. Ceilings and kernels are measured anew,
/// because threads are pinned and memory is placed at the start of a process. Then prints the table that
/// reports().sweep makes of the runs and writes its files. Returns the exit code of the first run that did not end with
/// 0, or 0.
int sweep_threads(const Options& options, int argc, char** argv);

}  // namespace roofline
