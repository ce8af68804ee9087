#pragma once
#include <string>

#include "bench/options/options.hpp"
#include "bench/result/results.hpp"

namespace roofline {

/// Puts the machine, its fingerprint, the hash of the model that counts bytes, and the command line into Google
/// Benchmark's JSON context, with the node and the rank. A modelled run has `model`, and the device it describes in
/// place of the machine.
void add_context(const Suite& suite, const Options& options, const Place& place, const ModelledRun* model = nullptr);

}  // namespace roofline
