#pragma once
#include <filesystem>
#include <string>

#include "bench/result/results.hpp"

namespace roofline::cli::cpu_command {

/// The machine, its caches and its ceilings for a number of threads, as a run without points: of `file`, a run.json;
/// where that is empty those that were kept, else roofline_bench measures the quick ones, once; "quick" measures them
/// again. `folder` is for what
/// that leaves. Without ceilings, and with a warning, where they cannot be measured. Throws FileError on `file`.
Results host_ceilings(const std::string& file, int threads, const std::filesystem::path& folder);

}  // namespace roofline::cli::cpu_command
