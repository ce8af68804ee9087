#pragma once
#include <optional>
#include <string>

#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/machine.hpp"

namespace roofline {

/// What the kernels of a run run on. A family may have variants on each, under the same names: files of runs on two
/// platforms pair up.
enum class Platform {
  cpu,       ///< this machine's cores
  cuda,      ///< an NVIDIA GPU that is there
  modelled,  ///< a GPU that a device file describes
};

/// What a run is about: the device that its numbers belong to.
struct Target {
  Platform platform = Platform::cpu;
  std::string fingerprint;  ///< hard keys in one line; ceilings of another one are foreign
  int threads = 1;          ///< of the all-cores rows; 1 where a GPU is the device
  Machine host;             ///< this machine: the device itself, or what it is plugged into
  std::optional<Gpu> gpu;   ///< of the platform cuda
};

/// The cores of this machine.
inline Target cpu_target(const Machine& host, int threads) {
  return {Platform::cpu, host.fingerprint, threads, host, std::nullopt};
}

}  // namespace roofline
