#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "bench/any_program/program_rows.hpp"
#include "bench/any_program/runs.hpp"
#include "bench/machine/machine.hpp"
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

/// The parts of `roofline cpu`, a source each.
namespace roofline::cli::cpu_command {

/// "48K/12:1M/16:32M/16", sizes and ways from the core outwards, of one thread; or the caches of the machine of a
/// run.json, each a core's share. Empty for an empty text. Throws std::invalid_argument, FileError.
std::vector<CacheLevel> parse_caches(const std::string& text);
/// These caches, if an eighth of the sets of each can stand for all. Throws std::invalid_argument.
std::vector<CacheLevel> require_many_sets(std::vector<CacheLevel> caches);

/// The share of a machine's caches for each of `threads` threads.
std::vector<CacheLevel> shares_of(const std::vector<CacheLevel>& caches, int threads);

/// The machine, its caches and its ceilings for a number of threads, as a run without points. They come from `file`, a
/// run.json. If it is empty, the kept ones are used, or roofline_bench measures the quick ones, once; "quick" measures
/// them again. `folder` is for the files of that measurement. Without ceilings, and with a warning, if they cannot be
/// measured. Throws FileError on `file`.
Results host_ceilings(const std::string& file, int threads, const std::filesystem::path& folder);

/// Adds ceilings of as many threads as rows of fewer have, where these are kept or can be measured.
void add_other_ceilings(Results& results, const std::filesystem::path& folder);

/// A line on standard error.
void say(const std::string& line);

/// A point of each row; "[others]" is named as skipped.
void add_points(Results& results, const std::vector<any_program::ProgramRow>& rows, const std::string& name,
                const std::string& caches);

/// A run.json.
std::string text_of(const Results& results);
/// All files of a run. Returns the exit code.
int write(const Results& results, const std::filesystem::path& folder);

/// Runs a program of known counts and prints what works here. Exit code: 0, or 3 where something is missing or wrong.
int doctor();

/// Remarks about a counted run: notes, stopped, ended by a signal. Throws Inconclusive if it says nothing: code that
/// the counter does not count, no counts.
std::vector<std::string> doubts(const any_program::CountedProgram& run, const any_program::NativeRun& native,
                                const std::string& program);

/// Where the counted run printed something else, the program runs once more by itself: lines in which these two differ
/// hold times, another one is named.
std::vector<std::string> other_results(const any_program::Runner& runner, const any_program::ProgramFile& program,
                                       const any_program::NativeRun& native, const any_program::CountedProgram& run);

/// The functions of a program, the one with most time first. The first of `rows` are those that `results` has points
/// of, in the same order.
Table function_table(const std::string& program, const std::vector<any_program::ProgramRow>& rows,
                     const Results& results);

/// The hardware counters' values for the whole program, which runs by itself once more for each quantity, next to the
/// counts here; or one line that says why they cannot be used.
std::vector<std::string> by_hardware(const any_program::Runner& runner, const any_program::ProgramFile& program,
                                     const Machine& machine, const std::vector<any_program::ProgramRow>& rows);

}  // namespace roofline::cli::cpu_command
