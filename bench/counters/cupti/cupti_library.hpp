#pragma once
// clang-format off: cupti_profiler_host.h uses std::string and does not include it
#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <string>
#include <vector>
// clang-format on

namespace roofline {

/// The functions of CUPTI that counting needs, as found at run time: the program links none of them, so that it starts
/// where they are missing. Tests put fakes in their places.
struct CuptiFunctions {
  decltype(&::cuptiGetVersion) get_version = nullptr;
  decltype(&::cuptiGetResultString) result_string = nullptr;

  // Host side: works without a driver and a GPU.
  decltype(&::cuptiProfilerHostGetSupportedChips) host_supported_chips = nullptr;
  decltype(&::cuptiProfilerHostInitialize) host_initialize = nullptr;
  decltype(&::cuptiProfilerHostDeinitialize) host_deinitialize = nullptr;
  decltype(&::cuptiProfilerHostGetMetricProperties) host_metric_properties = nullptr;
  decltype(&::cuptiProfilerHostConfigAddMetrics) host_add_metrics = nullptr;
  decltype(&::cuptiProfilerHostGetConfigImageSize) host_image_size = nullptr;
  decltype(&::cuptiProfilerHostGetConfigImage) host_image = nullptr;
  decltype(&::cuptiProfilerHostGetNumOfPasses) host_passes = nullptr;
  decltype(&::cuptiProfilerHostEvaluateToGpuValues) host_evaluate = nullptr;

  // Target side: some of them crash without a device.
  decltype(&::cuptiProfilerInitialize) initialize = nullptr;
  decltype(&::cuptiProfilerDeInitialize) deinitialize = nullptr;
  CUptiResult(CUPTIAPI* finalize)() = nullptr;  ///< of cupti_activity.h: takes CUPTI out of the process
  decltype(&::cuptiProfilerDeviceSupported) device_supported = nullptr;
  decltype(&::cuptiDeviceGetChipName) chip_name = nullptr;
  decltype(&::cuptiProfilerGetCounterAvailability) availability = nullptr;
  decltype(&::cuptiRangeProfilerEnable) enable = nullptr;
  decltype(&::cuptiRangeProfilerDisable) disable = nullptr;
  decltype(&::cuptiRangeProfilerGetCounterDataSize) data_size = nullptr;
  decltype(&::cuptiRangeProfilerCounterDataImageInitialize) data_initialize = nullptr;
  decltype(&::cuptiRangeProfilerSetConfig) set_config = nullptr;
  decltype(&::cuptiRangeProfilerStart) start = nullptr;
  decltype(&::cuptiRangeProfilerPushRange) push_range = nullptr;
  decltype(&::cuptiRangeProfilerPopRange) pop_range = nullptr;
  decltype(&::cuptiRangeProfilerStop) stop = nullptr;
  decltype(&::cuptiRangeProfilerDecodeData) decode = nullptr;
  decltype(&::cuptiRangeProfilerGetCounterDataInfo) data_info = nullptr;
};

struct CuptiLibrary {
  CuptiFunctions functions;
  std::string path;  ///< what was loaded
  unsigned version = 0;
};

/// The major version of the toolkit that a CUPTI is of: 12 of 19 to 28, 13 of 130000.
unsigned cuda_major_of_cupti(unsigned api_version);
/// "libcupti.so.12" of CUDA_VERSION 12080.
std::string cupti_file_name(unsigned cuda_version);
/// "13.0.1" of 130001, "12.x (API 26)" of 26.
std::string cupti_version_text(unsigned api_version);

/// A profiler or checker that has put itself into this process, from the value of CUDA_INJECTION64_PATH and the text of
/// /proc/self/maps; empty when there is none. Two at once are refused by CUPTI, or count each other's work.
std::string attached_tool(const char* injection, const std::string& maps);

/// Where libcupti is looked for, in order: the toolkits of CUDA_PATH and CUDA_HOME, the loader's own search (a bare
/// file name), the default place of a toolkit.
std::vector<std::string> cupti_places();

/// Loads CUPTI of the major version that this program was compiled for and, before it wants it, libnvperf_host from the
/// same folder. One that is of another version or lacks functions is passed over. It stays loaded. Throws
/// CountersUnavailable, one line with the suggestion, and before anything is loaded where another tool is attached.
CuptiLibrary load_cupti(const std::vector<std::string>& places = cupti_places());

}  // namespace roofline
