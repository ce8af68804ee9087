#pragma once
#include <cupti_profiler_target.h>

#include <functional>
#include <string>
#include <vector>

namespace roofline::testing {

/// Orders for the library in place of CUPTI, and its observations. A test gets its own process's by fake_cupti(); other
/// processes set FAKE_CUPTI="FUNCTION:CODE:CALL" (that call answers this code) and FAKE_CUPTI_JOURNAL, a file to which
/// every call adds its name.
struct FakeCupti {
  std::string fails;  ///< this function answers `code`...
  CUptiResult code = CUPTI_ERROR_UNKNOWN;
  int at = 1;             ///< ... at this call of it
  std::string real_host;  ///< path of a CUPTI that answers what needs no device
  std::size_t planned_passes = 2, needed_passes = 2, dropped = 0, ranges = 1;
  CUpti_Profiler_Support_Level supported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED, confidential = supported;
  std::function<void()> begin = [] {};                             ///< of a range
  std::function<void(std::size_t pass)> end = [](std::size_t) {};  ///< of a range, in that pass from 0 on
  /// The value of a metric in a collection.
  std::function<double(const std::string& metric)> value = [](const std::string&) { return 1.0; };

  std::vector<std::string> calls;       ///< in order
  std::vector<std::string> complaints;  ///< what was called out of order
  std::string open;                     ///< what has not been given back
};

}  // namespace roofline::testing

/// The state of the loaded library; its next load begins with a new one.
extern "C" roofline::testing::FakeCupti* fake_cupti();
