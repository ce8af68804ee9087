#include "bench/machine/gpu_facts.hpp"

#include <fmt/format.h>

#include <sstream>

#include "bench/machine/cgroup.hpp"

namespace roofline {
namespace {

std::string version(int v) { return fmt::format("{}.{}", v / 1000, v % 1000 / 10); }

}  // namespace

std::string fingerprint(const Gpu& gpu) {
  constexpr double mib = 1 << 20;
  return fmt::format("{}, compute capability {}.{}, {} SMs, {:.0f} MHz, {:.0f} MiB, L2 {:.0f} MiB", gpu.name, gpu.major,
                     gpu.minor, gpu.sms, gpu.clock_hz / 1e6, gpu.memory_bytes / mib, gpu.l2_bytes / mib);
}

std::map<std::string, std::string> context(const Gpu& gpu) {
  std::map<std::string, std::string> pairs{
      {"device", fmt::format("cuda:{}", gpu.index)},
      {"gpu_name", gpu.name},
      {"gpu_compute_capability", fmt::format("{}.{}", gpu.major, gpu.minor)},
      {"gpu_sms", fmt::format("{}", gpu.sms)},
      {"gpu_clock_hz", fmt::format("{:.0f}", gpu.clock_hz)},
      {"gpu_memory_bytes", fmt::format("{:.0f}", gpu.memory_bytes)},
      {"gpu_l2_bytes", fmt::format("{:.0f}", gpu.l2_bytes)},
      {"cuda_driver", version(gpu.driver_version)},
      {"cuda_runtime", version(gpu.runtime_version)},
  };
  if (const auto release = driver_release(); !release.empty()) pairs["nvidia_driver"] = release;
  return pairs;
}

std::string driver_release(const std::string& proc_text) {
  // NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 ...
  std::istringstream words(proc_text.substr(0, proc_text.find('\n')));
  for (std::string word; words >> word;) {
    const bool release = word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == word.npos;
    if (release) return word;
  }
  return {};
}

std::string driver_release() { return driver_release(read_text("/proc/driver/nvidia/version")); }

double warp_issue_rate(int sms, int capability, double clock_hz) {
  const int schedulers = capability == 60 ? 2 : 4;
  return sms * schedulers * clock_hz;
}

bool is_mig_instance(const Gpu& gpu) { return gpu.name.find(" MIG ") != std::string::npos; }

}  // namespace roofline
