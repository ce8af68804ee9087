#include "bench/counters/cupti/cupti_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "bench/counters/unavailable.hpp"
#include "bench/machine/cgroup.hpp"

namespace roofline {
namespace {

std::string file_name() { return cupti_file_name(CUDA_VERSION); }

/// Parts of the names of the libraries that profilers and checkers load into a process.
constexpr std::array injected{"libToolsInjection",    "libcuda-injection",       "libTreeLauncherTargetInjection",
                              "libInterceptorInject", "libsanitizer-collection", "libcuinj64",
                              "libaccinj64"};

/// CUPTI opens libnvperf_host.so by its bare name, which finds it only in the loader's own search path. Loaded before,
/// it is found by that name; without it every host call fails.
void load_nvperf_beside(void* symbol) {
  Dl_info where{};
  if (!::dladdr(symbol, &where) || !where.dli_fname) return;
  const auto beside = std::filesystem::path(where.dli_fname).parent_path() / "libnvperf_host.so";
  ::dlopen(beside.c_str(), RTLD_NOW | RTLD_GLOBAL);  // no matter if it fails: the loader may know another one
}

/// Names one function that is missing, empty when all are there.
std::string bind(void* library, CuptiFunctions& f) {
  std::string missing;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
    if (!function) missing = name;
  };
#define ROOFLINE_FIND(member, function) find(f.member, #function);
  ROOFLINE_CUPTI_FUNCTIONS(ROOFLINE_FIND)
#undef ROOFLINE_FIND
  find(f.finalize, "cuptiFinalize");
  return missing;
}

}  // namespace

std::vector<std::string> cupti_places() {
  std::vector<std::string> places;
  const auto add_toolkit = [&](const std::string& toolkit) {
    for (const char* folder :
         {"/extras/CUPTI/lib64/", "/lib64/", "/targets/x86_64-linux/lib/", "/targets/sbsa-linux/lib/"})
      places.push_back(toolkit + folder + file_name());
  };
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* toolkit = std::getenv(variable); toolkit && *toolkit) add_toolkit(toolkit);
  places.push_back(file_name());
  add_toolkit("/usr/local/cuda");
  return places;
}

unsigned cuda_major_of_cupti(unsigned api_version) {
  // cupti_version.h: 1 to 18 in CUDA 4 to 11, 19 to 28 in CUDA 12, since then 130001 is the first update of 13.0.
  return api_version >= 10000 ? api_version / 10000 : api_version >= 19 ? 12 : 11;
}

std::string cupti_file_name(unsigned cuda_version) { return fmt::format("libcupti.so.{}", cuda_version / 1000); }

std::string cupti_version_text(unsigned api_version) {
  if (api_version < 10000) return fmt::format("{}.x (API {})", cuda_major_of_cupti(api_version), api_version);
  return fmt::format("{}.{}.{}", api_version / 10000, api_version / 100 % 100, api_version % 100);
}

std::string attached_tool(const char* injection, const std::string& maps) {
  if (injection && *injection) return fmt::format("CUDA_INJECTION64_PATH={}", injection);
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);)
    for (const char* const name : injected)
      if (const auto at = line.rfind('/'); at != line.npos && line.compare(at + 1, std::strlen(name), name) == 0)
        return line.substr(at + 1);
  return {};
}

CuptiLibrary load_cupti(const std::vector<std::string>& places) {
  const auto tool = attached_tool(std::getenv("CUDA_INJECTION64_PATH"), read_text("/proc/self/maps"));
  if (!tool.empty())
    throw CountersUnavailable(fmt::format(
        "another tool is attached ({}) and only one can count: run without it, or with --counters=none", tool));
  constexpr unsigned wanted = CUDA_VERSION / 1000;
  std::string unusable;
  for (const auto& place : places) {
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    CuptiLibrary cupti{{}, place, 0, unusable};
    std::string why;
    if (const auto missing = bind(library, cupti.functions); !missing.empty())
      why = fmt::format("{} has no {}: too old", place, missing);
    else if (cupti.functions.get_version(&cupti.version) != CUPTI_SUCCESS)
      why = fmt::format("{} does not say its version", place);
    else if (cuda_major_of_cupti(cupti.version) != wanted)
      why = fmt::format("{} is CUPTI {}, this program was compiled for {}", place, cupti_version_text(cupti.version),
                        cupti_version_text(CUPTI_API_VERSION));
    if (why.empty()) {
      load_nvperf_beside(reinterpret_cast<void*>(cupti.functions.get_version));
      return cupti;
    }
    if (unusable.empty()) unusable = why;
    ::dlclose(library);
  }
  throw CountersUnavailable(fmt::format("{}; install CUPTI of CUDA {} or set CUDA_PATH to its toolkit",
                                        unusable.empty() ? file_name() + " was not found (no GPU counters)" : unusable,
                                        wanted));
}

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
      return "this MIG instance shares the counted resources with others; use one with all its memory slices, or the "
             "whole GPU (nvidia-smi -mig 0, by its administrator)";
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
      return "the old counters of CUPTI (events and metrics) are in use in this process; run without the tool that "
             "uses them";
    case CUPTI_ERROR_UNKNOWN:
      return said + "; CUPTI newer than the driver's CUDA is the usual cause: see nvidia-smi, update the driver";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "no memory left for counting; choose smaller sizes";
    default:
      return said + "; nothing is known of that: run again, or with --counters=model";
  }
}

}  // namespace roofline
