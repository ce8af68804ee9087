#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/recovery/records.hpp"
#include "bench/run/plan.hpp"

namespace roofline {

/// The results of --verify.
struct Verification {
  int rows = 0, passed = 0;
  std::vector<std::pair<std::string, std::string>> failures;  ///< row and reason

  std::string checked;                ///< --sanitize: the additional checks; empty: none
  std::vector<std::string> findings;  ///< of that, a line each

  bool ok() const { return passed == rows && findings.empty(); }
  /// One line per failure and finding and one for all, with the seed that repeats it.
  std::string text(std::uint64_t seed) const;
};

/// Launches every kernel of the plan, compares what it wrote with its reference, then launches it again and compares
/// again: a timed launch is one of many, and must not change what it reads. Nothing is timed. Rows that
/// the records know are not launched again; after a failure `after_failure` is called, as the device may be lost.
/// Stops at an interrupt.
Verification verify(const Plan& plan, Records records, const std::function<void()>& after_failure = {});

/// The same for every kernel that could become one of these ceilings: launched and checked once, and counted as a row
/// of its own. Ceilings of resources that the device lacks do not count as rows.
void verify_ceilings(const std::vector<const CeilingVariant*>& ceilings, Records& records,
                     const std::function<void()>& after_failure, Verification& result);

}  // namespace roofline
