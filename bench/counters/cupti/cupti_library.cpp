#include "bench/counters/cupti/cupti_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "bench/counters/unavailable.hpp"

namespace roofline {
namespace {

constexpr unsigned major(unsigned version) { return version / 10000; }  // 130001 is 13.0

std::string file_name() { return fmt::format("libcupti.so.{}", major(CUPTI_API_VERSION)); }

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
  find(f.get_version, "cuptiGetVersion");
  find(f.result_string, "cuptiGetResultString");
  find(f.host_supported_chips, "cuptiProfilerHostGetSupportedChips");
  find(f.host_initialize, "cuptiProfilerHostInitialize");
  find(f.host_deinitialize, "cuptiProfilerHostDeinitialize");
  find(f.host_metric_properties, "cuptiProfilerHostGetMetricProperties");
  find(f.host_add_metrics, "cuptiProfilerHostConfigAddMetrics");
  find(f.host_image_size, "cuptiProfilerHostGetConfigImageSize");
  find(f.host_image, "cuptiProfilerHostGetConfigImage");
  find(f.host_passes, "cuptiProfilerHostGetNumOfPasses");
  find(f.host_evaluate, "cuptiProfilerHostEvaluateToGpuValues");
  find(f.initialize, "cuptiProfilerInitialize");
  find(f.deinitialize, "cuptiProfilerDeInitialize");
  find(f.device_supported, "cuptiProfilerDeviceSupported");
  find(f.chip_name, "cuptiDeviceGetChipName");
  find(f.availability, "cuptiProfilerGetCounterAvailability");
  find(f.enable, "cuptiRangeProfilerEnable");
  find(f.disable, "cuptiRangeProfilerDisable");
  find(f.data_size, "cuptiRangeProfilerGetCounterDataSize");
  find(f.data_initialize, "cuptiRangeProfilerCounterDataImageInitialize");
  find(f.set_config, "cuptiRangeProfilerSetConfig");
  find(f.start, "cuptiRangeProfilerStart");
  find(f.push_range, "cuptiRangeProfilerPushRange");
  find(f.pop_range, "cuptiRangeProfilerPopRange");
  find(f.stop, "cuptiRangeProfilerStop");
  find(f.decode, "cuptiRangeProfilerDecodeData");
  find(f.data_info, "cuptiRangeProfilerGetCounterDataInfo");
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

CuptiLibrary load_cupti(const std::vector<std::string>& places) {
  const auto suggestion = [] {
    return fmt::format("install CUPTI of CUDA {} or set CUDA_PATH to its toolkit", major(CUPTI_API_VERSION));
  };
  for (const auto& place : places) {
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    CuptiLibrary cupti{{}, place, 0};
    if (const auto missing = bind(library, cupti.functions); !missing.empty())
      throw CountersUnavailable(fmt::format("{} has no {}: too old; {}", place, missing, suggestion()));
    if (cupti.functions.get_version(&cupti.version) != CUPTI_SUCCESS ||
        major(cupti.version) != major(CUPTI_API_VERSION))
      throw CountersUnavailable(fmt::format("{} is version {}, this program was compiled for {}; {}", place,
                                            cupti.version, CUPTI_API_VERSION, suggestion()));
    load_nvperf_beside(reinterpret_cast<void*>(cupti.functions.get_version));
    return cupti;
  }
  throw CountersUnavailable(fmt::format("{} was not found (no GPU counters); {}", file_name(), suggestion()));
}

}  // namespace roofline
