#pragma once
#include <cstdint>
#include <string>

#include "bench/virtual_gpu/runtime/fault_plan.hpp"

namespace roofline::runtime {

/// How the virtual GPU is set up: by the harness, or through the environment when another program runs on it.
struct Settings {
  std::string device = "h100";  ///< a known name or a device file; several: "h100,a100"
  bool check_memory = false, check_race = false, check_init = false, check_barrier = false;
  FaultPlan faults;
  std::string journal;           ///< path of a file to which every timed event adds a line; empty: none
  std::string report;            ///< path of the JSON that is written at exit; empty: none
  bool table = false;            ///< print one on stderr at exit
  int host_threads = 0;          ///< 0: all cores
  bool clocked = false;          ///< somebody asks for times, which are those of the virtual clock
  double call_seconds = 0.5e-6;  ///< that a call of the runtime takes the host
  double clock_from = 0,
         clock_ramp = 0;                ///< Hz at the start, seconds until it is that of the device; 0: from the start
  std::uint64_t instruction_limit = 0;  ///< warp instructions of a block before it counts as hung; 0: the engine's own
};

/// ROOFLINE_VIRTUAL_DEVICE, _CHECK (memory,race,init,barrier or all), _FAULTS, _JOURNAL, _REPORT, _TABLE, _THREADS,
/// _CLOCK and _LIMIT. Throws std::invalid_argument with one line that names the variable.
Settings settings_from_environment();

/// Sets the checks named in "memory,race,init,barrier" or "all". Throws std::invalid_argument.
void set_checks(Settings& settings, const std::string& checks);

}  // namespace roofline::runtime
