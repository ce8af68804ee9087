#pragma once
#include <string>

#include "bench/options.hpp"
#include "bench/results.hpp"

namespace roofline {

/// Puts the machine, its fingerprint, the hash of the model that counts bytes, and the command line into Google
/// Benchmark's JSON context. A modelled run has `model`, and the device it describes in place of the machine.
void add_context(const Suite& suite, const Options& options, const ModelledRun* model = nullptr);

/// Google Benchmark's JSON with what is known only at the end (complete, ceilings, warnings), guaranteed to be strict
/// JSON: the library writes bare NaN and Infinity, which become null.
std::string finish_json(const std::string& google_benchmark, const Results& results);

}  // namespace roofline
