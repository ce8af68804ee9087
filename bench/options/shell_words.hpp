#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace roofline {

/// Shells that completion() knows, and "man" for man_page().
const std::vector<std::string>& shells();

/// A script that completes subcommands and flags of a program, from the definitions of its command line: for bash, zsh
/// or fish. Throws std::invalid_argument for another shell.
std::string completion(const CLI::App& app, const std::string& shell);

/// The manual page of a program in troff, from the same definitions.
std::string man_page(const CLI::App& app);

/// "roofline 0.1.0, commit 1a2b3c4, GNU 12.2.0 Release native": what --version prints.
std::string version_line(const std::string& program);

}  // namespace roofline
