#pragma once
#include <map>
#include <optional>
#include <string>

namespace roofline {

/// An NVIDIA GPU that this process may use, as the CUDA runtime describes it.
struct Gpu {
  int index = 0;             ///< N of --device=cuda:N
  std::string name;          ///< "NVIDIA H200"
  int major = 0, minor = 0;  ///< compute capability
  int sms = 0;
  double clock_hz = 0;      ///< highest SM clock
  double memory_bytes = 0;  ///< of the device
  double l2_bytes = 0;
  int driver_version = 0, runtime_version = 0;  ///< 13000 is 13.0
  std::string bus = {}, uuid = {};              ///< "0000:3b:00.0", "GPU-..."
  double memory_clock_hz = 0;                   ///< as the driver says; with two transfers in a cycle ...
  int bus_bits = 0;                             ///< ... of so many bits it is what its DRAM can do. 0: not told
};

/// Bytes per second of its DRAM at most; absent where the driver does not tell.
inline std::optional<double> dram_theory(const Gpu& gpu) {
  const double rate = 2 * gpu.memory_clock_hz * gpu.bus_bits / 8;
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

/// Hard keys of a GPU in one line: ceilings of another fingerprint are foreign.
std::string fingerprint(const Gpu& gpu);

/// Key/value pairs for the JSON context.
std::map<std::string, std::string> context(const Gpu& gpu);

/// "580.65.06" from the text of /proc/driver/nvidia/version; empty when it is not there.
std::string driver_release(const std::string& proc_text);
/// The release on this machine.
std::string driver_release();

/// Instructions of warps per second that the schedulers of all SMs issue at most: one each in a cycle, four of them on
/// an SM (NVIDIA's architecture whitepapers), two on compute capability 6.0. `capability`: 90 is 9.0.
double warp_issue_rate(int sms, int capability, double clock_hz);

/// True for an instance of a GPU that is divided (MIG): counters of what the instances share are not available.
bool is_mig_instance(const Gpu& gpu);

}  // namespace roofline
