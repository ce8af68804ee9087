#pragma once
#include <benchmark/benchmark.h>

#include <cstddef>
#include <optional>
#include <roofline/declared_work.hpp>

namespace roofline {

/// What a row of Google Benchmark says about its work, carried in its counters: they survive threads (the library adds
/// them up), repetitions and interleaving, and reach every reporter.
struct DeclaredRow {
  DeclaredWork work;                   ///< of one iteration of every thread
  std::optional<std::size_t> counted;  ///< instead: the number of a counted kernel, see counted_kernels.hpp
};

/// Puts one thread's part into its counters.
void put(const DeclaredRow& row, benchmark::UserCounters& counters);

/// Takes it out again, so that no reporter shows it; nothing when the row declares no work.
std::optional<DeclaredRow> take(benchmark::UserCounters& counters);

}  // namespace roofline
