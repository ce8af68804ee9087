#include "bench/counters/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofline {

bool SelfTestResult::passed() const {
  if (answer.informative) return true;
  if (!counted) return false;
  if (answer.expected == 0) return *counted <= answer.tolerance;
  return excess() >= -answer.tolerance && excess() <= std::max(answer.tolerance, answer.ecc);
}

bool SelfTestResult::has_ecc() const { return passed() && counted && excess() > answer.tolerance && answer.ecc > 0; }

double SelfTestResult::excess() const { return *counted / answer.expected - 1; }

std::string SelfTestResult::text() const {
  const auto what = fmt::format("{} ({})", metric(answer.quantity).meaning, metric(answer.quantity).names.front());
  if (!counted) return fmt::format("{}: not counted for {}", what, kernel);
  if (answer.expected == 0) return fmt::format("{}: {:.6g} instead of 0 for {}", what, *counted, kernel);
  return fmt::format("{}: {:.6g} instead of {:.6g} ({:+.1f} %) for {}", what, *counted, answer.expected, 100 * excess(),
                     kernel);
}

KnownKernel replaced_by_hardware(const KnownKernel& kernel) {
  KnownKernel result{kernel.name + " (not instrumented)", {}};
  for (const auto& answer : kernel.answers)
    if (!metric(answer.quantity).hardware.empty()) result.answers.push_back(answer);
  return result;
}

std::vector<SelfTestResult> compare(const KnownKernel& kernel, const MetricValues& counted) {
  std::vector<SelfTestResult> results;
  for (const auto& answer : kernel.answers) results.push_back({kernel.name, answer, counted[answer.quantity]});
  return results;
}

std::vector<Quantity> refused(const std::vector<SelfTestResult>& results) {
  std::vector<Quantity> bad;
  for (const auto& result : results)
    if (!result.passed() && std::find(bad.begin(), bad.end(), result.answer.quantity) == bad.end())
      bad.push_back(result.answer.quantity);
  return bad;
}

}  // namespace roofline
