#pragma once
// clang-format off: cupti_profiler_host.h uses std::string and does not include it
#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <string>
#include <vector>
// clang-format on

namespace roofline {

/// The functions of CUPTI that counting needs, by their names in CuptiFunctions.
#define ROOFLINE_CUPTI_FUNCTIONS(X)                                \
  X(get_version, cuptiGetVersion)                                  \
  X(result_string, cuptiGetResultString)                           \
  /* Host side: works without a driver and a GPU. */               \
  X(host_supported_chips, cuptiProfilerHostGetSupportedChips)      \
  X(host_initialize, cuptiProfilerHostInitialize)                  \
  X(host_deinitialize, cuptiProfilerHostDeinitialize)              \
  X(host_metric_properties, cuptiProfilerHostGetMetricProperties)  \
  X(host_add_metrics, cuptiProfilerHostConfigAddMetrics)           \
  X(host_image_size, cuptiProfilerHostGetConfigImageSize)          \
  X(host_image, cuptiProfilerHostGetConfigImage)                   \
  X(host_passes, cuptiProfilerHostGetNumOfPasses)                  \
  X(host_evaluate, cuptiProfilerHostEvaluateToGpuValues)           \
  /* Target side: some of them crash without a device. */          \
  X(initialize, cuptiProfilerInitialize)                           \
  X(deinitialize, cuptiProfilerDeInitialize)                       \
  X(device_supported, cuptiProfilerDeviceSupported)                \
  X(chip_name, cuptiDeviceGetChipName)                             \
  X(availability, cuptiProfilerGetCounterAvailability)             \
  X(enable, cuptiRangeProfilerEnable)                              \
  X(disable, cuptiRangeProfilerDisable)                            \
  X(data_size, cuptiRangeProfilerGetCounterDataSize)               \
  X(data_initialize, cuptiRangeProfilerCounterDataImageInitialize) \
  X(set_config, cuptiRangeProfilerSetConfig)                       \
  X(start, cuptiRangeProfilerStart)                                \
  X(push_range, cuptiRangeProfilerPushRange)                       \
  X(pop_range, cuptiRangeProfilerPopRange)                         \
  X(stop, cuptiRangeProfilerStop)                                  \
  X(decode, cuptiRangeProfilerDecodeData)                          \
  X(data_info, cuptiRangeProfilerGetCounterDataInfo)

/// These functions as found at run time: the program links none of them, so that it starts where they are missing.
/// Tests put fakes in their places.
struct CuptiFunctions {
#define ROOFLINE_DECLARE(member, function) decltype(&::function) member = nullptr;
  ROOFLINE_CUPTI_FUNCTIONS(ROOFLINE_DECLARE)
#undef ROOFLINE_DECLARE
  CUptiResult(CUPTIAPI* finalize)() = nullptr;  ///< of cupti_activity.h: takes CUPTI out of the process
};

/// Parameters of a call of CUPTI: zeros but for their size, by which it tells versions apart.
#define ROOFLINE_CUPTI_PARAMS(Call, name) \
  Call##_Params name{};                   \
  name.structSize = Call##_Params_STRUCT_SIZE

struct CuptiLibrary {
  CuptiFunctions functions;
  std::string path;  ///< what was loaded
  unsigned version = 0;
  std::string passed_over = {};  ///< why the first of those that cannot be used is not this one; empty: there was none
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

/// The system's settings for counting, as its files have them.
struct ProfilingRights {
  std::string driver_parameters;  ///< /proc/driver/nvidia/params
  std::string process_status;     ///< /proc/self/status
  bool nvperf = false;            ///< libnvperf_host is loaded, which CUPTI's host side is made of
};
/// Reads both files, empty where there are none, and asks the loader.
ProfilingRights read_profiling_rights();

/// One line: why CUPTI refuses and what to do about it. `said` is the failed call, for codes without advice.
std::string cupti_advice(CUptiResult code, const std::string& said, const ProfilingRights& rights);

}  // namespace roofline
