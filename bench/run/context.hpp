#pragma once
#include <string>

#include "bench/run/options.hpp"
#include "bench/run/results.hpp"

namespace roofline {

/// Refuses keys of --benchmark_context=KEY=VALUE,... that the suite itself writes, a forged fingerprint would make
/// foreign ceilings pass, and text that JSON does not take. Throws std::invalid_argument.
void require_free_context(const std::string& key_values);

/// Puts the machine, its fingerprint, the hash of the model that counts bytes, and the command line into Google
/// Benchmark's JSON context. A modelled run has `model`, and the device it describes in place of the machine.
void add_context(const Suite& suite, const Options& options, const ModelledRun* model = nullptr);

}  // namespace roofline
