#pragma once
#include <benchmark/benchmark.h>

#include "bench/model/ceiling.hpp"
#include "bench/model/kernel_point.hpp"
#include "bench/model/roofline.hpp"

namespace roofline {

/// Adds to a row of Google Benchmark what is known of its ceiling. Numbers that are not finite are left out.
void put_counters(benchmark::BenchmarkReporter::Run& row, const Ceiling& ceiling);

/// Adds what is known of its kernel: the counters of run.json. What is not known is absent, never zero.
void put_counters(benchmark::BenchmarkReporter::Run& row, const KernelPoint& point, const Roofline& ceilings);

}  // namespace roofline
