#pragma once
#include <benchmark/benchmark.h>

#include <roofline/work.hpp>

/// What older versions of Google Benchmark lack.
namespace roofline_without_reentry {
inline void MaybeReenterWithoutASLR(...) {}
}  // namespace roofline_without_reentry

namespace roofline {

/// Runs the registered benchmarks as BENCHMARK_MAIN() does, with these flags besides Google Benchmark's own:
///
///   --roofline             ceilings, counters, tables, plot and checks for every row that declares its Work
///   --roofline-out=DIR     where run.json, roofline.svg, report.html, efficiency.csv, ... go (roofline-out)
///   --ceilings=auto        those that were measured on this machine before, else measured and kept in the cache
///             =quick|full  measured again and kept; full: all of them
///             =none        no ceilings, no efficiencies
///             =FILE        the run.json of an earlier run on this machine
///
/// Returns the exit code: 0 ok; 1 a check failed, or an unrecognized argument as in BENCHMARK_MAIN(); 2 a wrong value
/// of the flags above; 3 ceilings of another machine; 4 an unreadable or unwritable file; 5 with --roofline a filter
/// that nothing matches.
int run_benchmarks(int argc, char** argv);

namespace detail {

/// Newer versions of Google Benchmark start the program again without address space randomisation, in BENCHMARK_MAIN();
/// where there is no such function the one that does nothing is found.
inline void reenter(int argc, char** argv) {
  using namespace benchmark;
  using namespace roofline_without_reentry;
  MaybeReenterWithoutASLR(argc, argv);
}

}  // namespace detail
}  // namespace roofline

/// In place of BENCHMARK_MAIN().
#define ROOFLINE_MAIN()                            \
  int main(int argc, char** argv) {                \
    ::roofline::detail::reenter(argc, argv);       \
    return ::roofline::run_benchmarks(argc, argv); \
  }                                                \
  int main(int, char**)
