#pragma once
#include <CLI/CLI.hpp>

namespace roofline {

/// Group of the flags that --help leaves to its last words, or to nobody.
constexpr const char* not_in_help = "Google Benchmark";

/// --help that fits the terminal, of a program and of the subcommands that are added later; and --version.
void lay_out_help(CLI::App& app, const std::string& version);

/// What roofline_bench's --help says after the flags: Google Benchmark's, examples, exit codes.
extern const char* const bench_help_footer;

}  // namespace roofline
