#include "bench/counters/cupti/cupti_advice.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "bench/machine/cgroup.hpp"

namespace roofline {
namespace {

/// The word behind `key` in a file of "key: value" lines; empty when there is none.
std::string value_of(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(key, 0) == 0) {
      std::istringstream words(line.substr(key.size()));
      std::string word;
      words >> word;
      return word;
    }
  return {};
}

/// Capabilities as capabilities(7) numbers them.
constexpr int cap_sys_admin = 21, cap_perfmon = 38;

std::string no_permission(const ProfilingRights& rights) {
  const auto restricted = value_of(rights.driver_parameters, "RmProfilingAdminOnly:");
  const auto held = std::strtoull(value_of(rights.process_status, "CapEff:").c_str(), nullptr, 16);
  const auto has = [&](int capability) { return held >> capability & 1 ? "has" : "lacks"; };
  return fmt::format(
      "no permission for GPU counters (RmProfilingAdminOnly: {}, this process {} CAP_SYS_ADMIN and {} CAP_PERFMON); "
      "run as root, start the container with --cap-add=SYS_ADMIN, or load the driver with "
      "NVreg_RestrictProfilingToAdminUsers=0",
      restricted.empty() ? "unknown" : restricted, has(cap_sys_admin), has(cap_perfmon));
}

}  // namespace

ProfilingRights read_profiling_rights() {
  void* const nvperf = ::dlopen("libnvperf_host.so", RTLD_NOW | RTLD_NOLOAD);
  if (nvperf) ::dlclose(nvperf);
  return {read_text("/proc/driver/nvidia/params"), read_text("/proc/self/status"), nvperf != nullptr};
}

std::string cupti_advice(CUptiResult code, const std::string& said, const ProfilingRights& rights) {
  switch (code) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return no_permission(rights);
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "no permission for the counters of this virtual GPU; its host must enable profiling for the vGPU";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return "this virtual GPU has no counters; use a whole GPU or a vGPU with profiling enabled";
    case CUPTI_ERROR_HARDWARE_BUSY:
      return "another program holds the counters of this machine's GPUs, and one that does holds those of all; pause "
             "it "
             "(DCGM: dcgmi profile --pause, dcgmi profile --resume afterwards) and run again";
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "another tool (ncu, nsys, compute-sanitizer, cuda-gdb) is attached; run without it";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return "confidential computing hides the GPU's counters; they need a machine without it";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "this MIG instance shares what is to be counted; use one with all its memory slices, or the whole GPU "
             "(nvidia-smi "
             "-mig 0, by its administrator)";
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
      return "GPUs coupled by SLI have no counters; switch SLI off";
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
      return "mining processors have no counters; use another GPU";
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return "this WSL gives no access to GPU counters; allow them in the Windows driver's settings";
    case CUPTI_ERROR_NOT_INITIALIZED:
      if (rights.nvperf) return said + "; the driver or a container hides the device: see nvidia-smi, run again";
      return "CUPTI finds no libnvperf_host.so next to itself; install all of CUPTI or set CUDA_PATH to its toolkit";
    case CUPTI_ERROR_NOT_COMPATIBLE:
      return "the driver is too old for this CUPTI; update it";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return "this CUPTI does not know the GPU; install the CUPTI of a newer CUDA of the same major version";
    case CUPTI_ERROR_INVALID_OPERATION:
      return said + "; another profiler in this process, or MPS, stands in the way: run without it";
    case CUPTI_ERROR_HARDWARE:
      return said + "; the counters of the GPU answer with an error: see dmesg for NVRM and Xid, reset it or restart";
    case CUPTI_ERROR_NOT_SUPPORTED:
      return said + "; the driver does not support this way of counting: update it, or --counters=FILE.csv takes ncu's";
    case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
      return "the old counters of CUPTI (events and metrics) are in use in this process; run without what uses them";
    case CUPTI_ERROR_UNKNOWN:
      return said + "; CUPTI newer than the driver's CUDA is the usual cause: see nvidia-smi, update the driver";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "no memory left for counting; choose smaller sizes";
    default:
      return said + "; nothing is known of that: run again, or with --counters=model";
  }
}

}  // namespace roofline
