#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace roofline {

/// Group of the flags that --help leaves to its last words, or to nobody.
constexpr const char* not_in_help = "Google Benchmark";

/// --help that fits the terminal, of a program and of the subcommands that are added later; and --version.
void lay_out_help(CLI::App& app, const std::string& version);

/// The text of roofline_bench's --help after the flags: Google Benchmark's flags, examples, exit codes.
extern const char* const bench_help_footer;

/// Shells that completion() knows, and "man" for man_page().
const std::vector<std::string>& shells();

/// A script that completes subcommands and flags of a program, from the definitions of its command line: for bash, zsh
/// or fish. Throws std::invalid_argument for another shell.
std::string completion(const CLI::App& app, const std::string& shell);

/// The manual page of a program in troff, from the same definitions.
std::string man_page(const CLI::App& app);

/// "roofline 0.1.0, commit 1a2b3c4, GNU 12.2.0 Release native": the text of --version.
std::string version_line(const std::string& program);

}  // namespace roofline
