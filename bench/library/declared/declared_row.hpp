#pragma once
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <roofline/declared_work.hpp>

#include "bench/model/counts.hpp"

namespace roofline {

/// A kernel of the user's program that was counted: what its source says, not what its author declares.
struct CountedKernel {
  Counts counts;
  std::uint64_t declared_flops = 0;  ///< by its formula, equal to those counted
  bool fma = true;
};

/// Keeps a count for the end of the run, by its number.
std::size_t keep_count(CountedKernel kernel);
const CountedKernel& counted_kernel(std::size_t number);

/// What a row of Google Benchmark says about its work, carried in its counters: they survive threads (the library adds
/// them up), repetitions and interleaving, and reach every reporter.
struct DeclaredRow {
  DeclaredWork work;                   ///< of one iteration of every thread
  std::optional<std::size_t> counted;  ///< instead: the number of a counted kernel, see counted_kernel()
};

/// Puts one thread's part into its counters.
void put(const DeclaredRow& row, benchmark::UserCounters& counters);

/// Takes it out again, so that no reporter shows it; nothing when the row declares no work.
std::optional<DeclaredRow> take(benchmark::UserCounters& counters);

/// Whether this run makes a roofline (--roofline): what benchmarks declare is wanted.
bool collecting();
void collect(bool wanted);

/// A check of Work said no; the program will return 1.
void note_wrong_result();
bool any_wrong_result();

}  // namespace roofline
