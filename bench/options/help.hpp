#pragma once
#include <CLI/CLI.hpp>

namespace roofline {

/// The layout of roofline_bench's --help, and what it says after the flags: Google Benchmark's, examples, exit codes.
void lay_out_help(CLI::App& app);

}  // namespace roofline
