#pragma once
#include <string>
#include <vector>

#include "bench/options/options.hpp"

namespace roofline {

/// Google Benchmark takes flags from the environment as well. Those that the suite carries out itself would give a
/// second report: a result file without our counters, another filter. Returns which were there, one line each.
std::vector<std::string> drop_benchmark_variables();

/// Google Benchmark reads its own flags; what it leaves is unknown. Returns an ExitCode; what the library refuses ends
/// the program.
int initialize_benchmark(const Options& options);

}  // namespace roofline
