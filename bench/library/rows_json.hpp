#pragma once
#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"

namespace roofline {

/// Rows as Google Benchmark's own reporter writes them, with further keys in the context.
std::string rows_json(const std::vector<benchmark::BenchmarkReporter::Run>& rows,
                      const std::map<std::string, std::string>& context);

/// A measured ceiling as a row of run.json.
benchmark::BenchmarkReporter::Run ceiling_row(const Ceiling& ceiling);

}  // namespace roofline
