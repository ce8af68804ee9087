#pragma once
#include <benchmark/benchmark.h>

#include <roofline/work.hpp>

/// Functions that older versions of Google Benchmark lack.
namespace roofline_without_reentry {
inline void MaybeReenterWithoutASLR(...) {}
}  // namespace roofline_without_reentry

namespace roofline {

/// How a source was compiled.
struct BuiltAs {
  bool optimised;
  const char* isa;  ///< the widest vectors that its compiler may use: avx512, avx2, sse; empty: not for x86
};
#ifdef __OPTIMIZE__
#define ROOFLINE_OPTIMISED true
#else
#define ROOFLINE_OPTIMISED false
#endif
#if defined(__AVX512F__)
#define ROOFLINE_ISA "avx512"
#elif defined(__AVX2__)
#define ROOFLINE_ISA "avx2"
#elif defined(__x86_64__)
#define ROOFLINE_ISA "sse"
#else
#define ROOFLINE_ISA ""
#endif

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
/// that nothing matches. `built_as` describes the source that calls this; a run with --roofline warns when that source
/// was compiled without optimisation or for narrower vectors than the CPU has.
int run_benchmarks(int argc, char** argv, BuiltAs built_as = {ROOFLINE_OPTIMISED, ROOFLINE_ISA});

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
