#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/counters/cupti/cupti_library.hpp"

namespace roofline {

/// A CUPTI call that failed: the call, the number and CUPTI's own words.
struct CuptiError : std::runtime_error {
  CuptiError(const CuptiFunctions& functions, const char* call, CUptiResult code);
  CUptiResult code;
};
/// Throws CuptiError unless `code` is success.
void require(const CuptiFunctions& functions, CUptiResult code, const char* call);

/// The host side's schedule for a set of metrics.
struct CuptiConfig {
  std::vector<std::string> metrics;
  std::vector<std::uint8_t> image;
  std::size_t passes = 0;  ///< launches needed to collect them all
};

/// The host side of CUPTI's range profiler: which metrics a chip has, how they are scheduled, what collected data say.
/// Needs neither a GPU nor a driver. `functions` must outlive it.
class CuptiHost {
 public:
  /// `chip` as CUPTI spells it ("GH100"). `availability` is the device's counter availability image; empty without a
  /// device. Throws CuptiError.
  CuptiHost(const CuptiFunctions& functions, std::string chip, std::vector<std::uint8_t> availability = {});

  const std::string& chip() const { return chip_; }
  /// Whether the chip has a metric, e.g. "dram__bytes_read.sum".
  bool has(const std::string& metric) const;
  /// All metrics scheduled together: one by one they would take more passes. Throws CuptiError.
  CuptiConfig configure(const std::vector<std::string>& metrics) const;
  /// Values of a range of collected data, in the order of `metrics`. NaN: not collected. Throws CuptiError.
  std::vector<double> evaluate(std::span<const std::uint8_t> data, std::size_t range,
                               const std::vector<std::string>& metrics) const;

 private:
  const CuptiFunctions& functions_;
  std::string chip_;
  std::vector<std::uint8_t> availability_;
};

/// Chips that this CUPTI knows. Throws CuptiError.
std::vector<std::string> supported_chips(const CuptiFunctions& functions);

}  // namespace roofline
