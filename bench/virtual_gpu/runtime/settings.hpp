#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::runtime {

/// Where the virtual GPU can be told to fail.
enum class Site { allocation, launch, copy, capture, synchronise };

/// The way a call fails: the error that the CUDA runtime would report, or no answer at all.
enum class Fault { out_of_memory, illegal_address, misaligned_address, launch_failure, timeout, hang, refused };

/// Failures that are planned, so that the handling of errors can be tested: "malloc:3=out-of-memory,
/// launch(gpp):5+=illegal-address, capture:1=refused, launch:2=hang". The number counts the calls of that site (those
/// whose kernel's name contains the text in parentheses) from 1; with + all from there on fail.
class FaultPlan {
 public:
  FaultPlan() = default;
  /// Throws std::invalid_argument with one line that names the part that makes no sense.
  explicit FaultPlan(std::string_view text);

  /// Counts this call and says whether it fails. `name` is the kernel's name if there is one.
  std::optional<Fault> next(Site site, std::string_view name = {});
  bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    Site site;
    std::string name;  ///< part of the kernel's name; empty: any
    unsigned long first = 1;
    bool onwards = false;
    Fault fault;
    unsigned long seen = 0;
  };
  static Rule parse(std::string_view text);
  std::vector<Rule> rules_;
};

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
