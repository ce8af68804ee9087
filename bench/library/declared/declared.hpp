#pragma once
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <roofline/declared_work.hpp>
#include <string>

#include "bench/machine/machine.hpp"
#include "bench/model/counts.hpp"
#include "bench/model/kernel_point.hpp"

namespace roofline {

/// A counted kernel of the user's program: the figures come from its source, not from its author.
struct CountedKernel {
  Counts counts;
  std::uint64_t declared_flops = 0;  ///< by its formula, equal to those counted
  bool fma = true;
};

/// Keeps a count for the end of the run, by its number.
std::size_t keep_count(CountedKernel kernel);
const CountedKernel& counted_kernel(std::size_t number);

/// The statement of a Google Benchmark row about its work, carried in its counters: they survive threads (the library
/// adds them up), repetitions and interleaving, and reach every reporter.
struct DeclaredRow {
  DeclaredWork work;                   ///< of one iteration of every thread
  std::optional<std::size_t> counted;  ///< instead: the number of a counted kernel, see counted_kernel()
};

/// Puts one thread's part into its counters.
void put(const DeclaredRow& row, benchmark::UserCounters& counters);

/// Takes it out again, so that no reporter shows it; nothing when the row declares no work.
std::optional<DeclaredRow> take(benchmark::UserCounters& counters);

/// Whether this run makes a roofline (--roofline) and needs the work that benchmarks declare.
bool collecting();
void collect(bool wanted);

/// A check of Work said no; the program will return 1.
void note_wrong_result();
bool any_wrong_result();

/// The name of a row of Google Benchmark without what only says how it was measured: axpy/1024/threads:2.
std::string point_name(const benchmark::BenchmarkReporter::Run& row);

/// Seconds of one iteration of all threads of a row.
double seconds_of(const benchmark::BenchmarkReporter::Run& row);

/// The point of a row that declares its work; times are added later. Throws std::invalid_argument, a reason without the
/// name of the row, if the work is missing, impossible, or belongs to more threads than there are CPUs.
KernelPoint declared_point(const benchmark::BenchmarkReporter::Run& row, const DeclaredRow& declared,
                           const Machine& machine);

/// Operations and bytes of one iteration as declared. Bytes of L1 are those declared; beyond, what remains of them when
/// the arrays are streamed once per iteration through a model of this machine's caches, `threads` cores sharing them:
/// nothing where they fit, whole lines with write-allocates where they do not. Throws std::invalid_argument, naming the
/// kind, on an amount that is negative or not finite.
Counts declared_counts(const DeclaredWork& work, const Machine& machine, int threads);

}  // namespace roofline
