#pragma once
#include <CLI/CLI.hpp>

namespace roofline {

/// Group of the flags that --help leaves to its last words, or to nobody.
constexpr const char* not_in_help = "Google Benchmark";

/// The layout of roofline_bench's --help, and what it says after the flags: Google Benchmark's, examples, exit codes.
void lay_out_help(CLI::App& app);

}  // namespace roofline
