#pragma once
#include <string>
#include <vector>

#include "bench/any_program/runs.hpp"

namespace roofline::cli::cpu_command {

/// What has to be said of a counted run: notes, stopped, ended otherwise than by itself. Throws Inconclusive where it
/// says nothing: code that the emulator does not execute, no counts.
std::vector<std::string> doubts(const any_program::EmulatedRun& run, const any_program::NativeRun& native,
                                const std::string& program);

/// Where the counted run printed something else, the program runs once more by itself: lines in which these two differ
/// hold times, another one is named.
std::vector<std::string> other_results(const any_program::Runner& runner, const any_program::ProgramFile& program,
                                       const any_program::NativeRun& native, const any_program::EmulatedRun& run);

}  // namespace roofline::cli::cpu_command
