#pragma once
#include <benchmark/benchmark.h>

#include <string>

#include "bench/library/declared/declared_row.hpp"
#include "bench/machine/machine.hpp"
#include "bench/model/kernel_point.hpp"

namespace roofline {

/// The name of a row of Google Benchmark without what only says how it was measured: axpy/1024/threads:2.
std::string point_name(const benchmark::BenchmarkReporter::Run& row);

/// Seconds of one iteration of all threads of a row.
double seconds_of(const benchmark::BenchmarkReporter::Run& row);

/// The point of a row that declares its work; what is timed is added by set_time(). Throws std::invalid_argument, a
/// reason without the name of the row, on work that cannot be, is none, or is that of more threads than there are CPUs.
KernelPoint declared_point(const benchmark::BenchmarkReporter::Run& row, const DeclaredRow& declared,
                           const Machine& machine);

/// Median and range of the time from the samples, one of each round or repetition.
void set_time(KernelPoint& point);

}  // namespace roofline
