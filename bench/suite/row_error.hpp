#pragma once
#include <benchmark/benchmark.h>

#include <string>

namespace roofline {

/// Why a row of Google Benchmark has no result; empty when it has one. Up to version 1.7 a row has a flag
/// `error_occurred`, from 1.8 on an enumeration `skipped`: everything else in this project goes through here.
template <class Run>
std::string row_error(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return !run.error_occurred ? std::string() : run.error_message.empty() ? "error" : run.error_message;
  else
    return !run.skipped ? std::string() : run.skip_message.empty() ? "skipped" : run.skip_message;
}

}  // namespace roofline
