#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/options/choices.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// Exit codes of every program of the suite.
enum ExitCode : int {
  exit_ok = 0,
  exit_failed = 1,  ///< a kernel failed its verification, or a regression
  exit_usage = 2,
  exit_inconclusive = 3,  ///< invalid or inconclusive, or the device that was asked for cannot be used
  exit_io = 4,            ///< unreadable input or a failed write
  exit_no_match = 5,      ///< the filter matched nothing
  // 128 + signal: interrupted (130 INT, 143 TERM, 129 HUP)
};

/// The choices of a command line.
struct Options {
  std::string device = "auto";
  bool modelled = false;  ///< a model counts every launch, none is timed
  std::string notice;     ///< about a flag of earlier versions; empty: none was used
  CountersChoice counters;
  bool one_process = false;  ///< of a GPU run: no second process that outlives a lost device
  CeilingsChoice ceilings;
  std::string out = "roofline-out";
  std::string node;                ///< name of this machine among others; empty: ROOFLINE_NODE or the system tells
  bool ranks = true;               ///< look for a launcher that started several of this program
  int threads = 0;                 ///< 0: the usable cores
  std::vector<int> thread_counts;  ///< a run for each of them; empty: one run
  std::uint64_t seed = 0;          ///< of random inputs; 0: the fixed ones
  bool verify = false;             ///< launch and check every row, time nothing
  std::string sanitize;            ///< what a virtual GPU looks for while it verifies; empty: nothing
  double time_limit = 0;           ///< seconds that the run keeps to; 0: its usual ones
  bool resume = false;             ///< go on with the run that was interrupted in `out`
  bool quick = false, full = false, strict = false, list = false;
  std::string describe;
  std::string case_study;              ///< of case_studies(); empty: none
  std::string division_flops = "1";    ///< account of the reports: see parse_flop_convention()
  std::map<std::string, Sizes> sizes;  ///< by family, where a flag gave them

  // Google Benchmark's flags that the suite carries out itself
  std::string filter;  ///< empty: no filter given
  bool list_tests = false;
  std::string format = "console";  ///< of standard output: console, json, csv
  std::string benchmark_out;
  std::string benchmark_out_format = "json";
  double min_time = 0;
  int repetitions = 1;
  bool only_aggregates = false;  ///< of rows that are repeated: no repetitions in Google Benchmark's formats

  std::vector<std::string> for_benchmark;  ///< Google Benchmark's other flags, unchanged
  std::string command_line;                ///< without --resume, and with no byte that JSON forbids

  bool has_filter() const { return !filter.empty(); }
  /// The sizes of the rows: a case study repeats the published ones.
  SizeOf size_of() const { return quick ? SizeOf::quick : case_study.empty() ? SizeOf::usual : SizeOf::published; }
};

/// Parses the command line. On --help or an error prints it (help to stdout, one line to stderr) and returns only an
/// exit code.
struct Parsed {
  std::optional<Options> options;
  int exit_code = exit_ok;
};
Parsed parse_options(int argc, const char* const* argv);

}  // namespace roofline
