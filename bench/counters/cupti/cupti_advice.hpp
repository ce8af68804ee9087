#pragma once
#include <cupti_result.h>

#include <string>

namespace roofline {

/// What the system says about counting, as its files have it.
struct ProfilingRights {
  std::string driver_parameters;  ///< /proc/driver/nvidia/params
  std::string process_status;     ///< /proc/self/status
  bool nvperf = false;            ///< libnvperf_host is loaded, which CUPTI's host side is made of
};
/// Reads both files, empty where there are none, and asks the loader.
ProfilingRights read_profiling_rights();

/// One line: why CUPTI refuses and what to do about it. `said` is the failed call, for codes without advice.
std::string cupti_advice(CUptiResult code, const std::string& said, const ProfilingRights& rights);

}  // namespace roofline
