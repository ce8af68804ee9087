#pragma once
#include <optional>
#include <string>

#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/machine.hpp"

namespace roofline {

/// What the kernels of a run run on. A family may have variants on each, under the same names: files of runs on two
/// platforms pair up.
enum class Platform {
  cpu,   ///< this machine's cores
  cuda,  ///< an NVIDIA GPU, or a virtual one that a device file describes
};

/// What becomes of the launches of a run. All but the first are of a device that is not there, or of none.
enum class Launches : unsigned char {
  timed,     ///< and counted
  verified,  ///< executed by a virtual GPU to see whether they are right: what is large or repeated only to be long
             ///< enough, or beyond the caches, need not be
  counted,   ///< executed by a virtual GPU, verified and counted
  modelled,  ///< counted by a model: on a GPU only what decides addresses is executed, arrays need no other data
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
