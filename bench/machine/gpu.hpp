#pragma once
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
};

}  // namespace roofline
