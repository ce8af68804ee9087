#pragma once
#include <string>

namespace roofline {

/// Whether a row of Google Benchmark has no result. Up to 1.7 it says `error_occurred`, from 1.8 on `skipped`.
template <class Run>
bool was_skipped(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return run.error_occurred;
  else
    return static_cast<int>(run.skipped) != 0;
}

/// Why it has none; empty when it has one.
template <class Run>
std::string why_skipped(const Run& run) {
  if (!was_skipped(run)) return {};
  if constexpr (requires { run.error_message; })
    return run.error_message.empty() ? "error" : run.error_message;
  else
    return run.skip_message.empty() ? "skipped" : run.skip_message;
}

}  // namespace roofline
