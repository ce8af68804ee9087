#pragma once
#include <string>
#include <vector>

#include "bench/counters/metrics.hpp"

namespace roofline {

/// The required value of one quantity of a kernel of known behaviour.
struct KnownAnswer {
  Quantity quantity;
  double expected = 0;
  double tolerance = 0;      ///< relative to `expected`; if 0 is expected, the largest count that passes
  bool informative = false;  ///< shown, never a reason to refuse
  double ecc = 0;            ///< relative to `expected`: this excess is not an error but the words of ECC
};

/// A kernel of known FLOPs and bytes, and what it was found to do.
struct KnownKernel {
  std::string name;
  std::vector<KnownAnswer> answers;
};

/// One comparison. `counted` absent: the chip or the driver gave no value.
struct SelfTestResult {
  std::string kernel;
  KnownAnswer answer;
  std::optional<double> counted;

  /// False if nothing was counted.
  bool passed() const;
  /// It has, and is higher than it would without ECC.
  bool has_ecc() const;
  /// "dram_read 4.1e9 instead of 2.1e9 (+93.0 %) for copy"
  std::string text() const;

 private:
  double excess() const;  ///< relative to the answer, which is not 0
};

/// A kernel's known answers that hardware counters can check, too, where code is not instrumented.
KnownKernel replaced_by_hardware(const KnownKernel& kernel);

/// Compares a kernel's counters with what is known of it, in the order of its answers.
std::vector<SelfTestResult> compare(const KnownKernel& kernel, const MetricValues& counted);

/// Quantities that failed a known answer. Counters can be silently wrong: these are not used.
std::vector<Quantity> refused(const std::vector<SelfTestResult>& results);

}  // namespace roofline
