#pragma once

namespace roofline {

/// Whether a row of Google Benchmark has no result. Up to 1.7 it says `error_occurred`, from 1.8 on `skipped`.
template <class Run>
bool was_skipped(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return run.error_occurred;
  else
    return static_cast<int>(run.skipped) != 0;
}

}  // namespace roofline
