#include "bench/counters/cupti/cupti_host.hpp"

#include <fmt/format.h>

namespace roofline {
namespace {

std::string text(const CuptiFunctions& functions, const char* call, CUptiResult code) {
  const char* words = nullptr;
  if (functions.result_string) functions.result_string(code, &words);
  return fmt::format("{} failed with {} ({})", call, static_cast<int>(code), words ? words : "unknown");
}

/// CUPTI's host object. After one failed call everything that is asked of it fails: each task takes a new one.
class HostObject {
 public:
  HostObject(const CuptiFunctions& functions, const std::string& chip, const std::vector<std::uint8_t>& availability)
      : functions_(functions) {
    ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize, p);
    p.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    p.pChipName = chip.c_str();
    p.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
    require(functions, functions.host_initialize(&p), "cuptiProfilerHostInitialize");
    object_ = p.pHostObject;
  }
  ~HostObject() {
    ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize, p);
    p.pHostObject = object_;
    functions_.host_deinitialize(&p);
  }
  HostObject(const HostObject&) = delete;
  HostObject& operator=(const HostObject&) = delete;
  operator CUpti_Profiler_Host_Object*() const { return object_; }

 private:
  const CuptiFunctions& functions_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> result;
  for (const auto& name : names) result.push_back(name.c_str());
  return result;
}

constexpr const char* add_metrics = "cuptiProfilerHostConfigAddMetrics";
CUptiResult add(const CuptiFunctions& functions, const HostObject& object, const std::vector<std::string>& metrics) {
  auto names = pointers(metrics);
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics, p);
  p.pHostObject = object;
  p.ppMetricNames = names.data();
  p.numMetrics = names.size();
  return functions.host_add_metrics(&p);
}

}  // namespace

CuptiError::CuptiError(const CuptiFunctions& functions, const char* call, CUptiResult result)
    : std::runtime_error(text(functions, call, result)), code(result) {}

void require(const CuptiFunctions& functions, CUptiResult code, const char* call) {
  if (code != CUPTI_SUCCESS) throw CuptiError(functions, call, code);
}

CuptiHost::CuptiHost(const CuptiFunctions& functions, std::string chip, std::vector<std::uint8_t> availability)
    : functions_(functions), chip_(std::move(chip)), availability_(std::move(availability)) {
  const HostObject known(functions_, chip_, availability_);
}

bool CuptiHost::has(const std::string& metric) const {
  const HostObject object(functions_, chip_, availability_);
  // Properties alone do not prove that a metric works: CUPTI gives them for names without a roll-up too, which cannot
  // be scheduled.
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties, known);
  known.pHostObject = object;
  known.pMetricName = metric.c_str();
  return functions_.host_metric_properties(&known) == CUPTI_SUCCESS &&
         add(functions_, object, {metric}) == CUPTI_SUCCESS;
}

CuptiConfig CuptiHost::configure(const std::vector<std::string>& metrics) const {
  CuptiConfig config;
  config.metrics = metrics;
  const HostObject object(functions_, chip_, availability_);
  require(functions_, add(functions_, object, config.metrics), add_metrics);

  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize, size);
  size.pHostObject = object;
  require(functions_, functions_.host_image_size(&size), "cuptiProfilerHostGetConfigImageSize");
  config.image.resize(size.configImageSize);

  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage, image);
  image.pHostObject = object;
  image.configImageSize = config.image.size();
  image.pConfigImage = config.image.data();
  require(functions_, functions_.host_image(&image), "cuptiProfilerHostGetConfigImage");

  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses, passes);
  passes.configImageSize = config.image.size();
  passes.pConfigImage = config.image.data();
  require(functions_, functions_.host_passes(&passes), "cuptiProfilerHostGetNumOfPasses");
  config.passes = passes.numOfPasses;
  return config;
}

std::vector<double> CuptiHost::evaluate(std::span<const std::uint8_t> data, std::size_t range,
                                        const std::vector<std::string>& metrics) const {
  const HostObject object(functions_, chip_, availability_);
  auto names = pointers(metrics);
  require(functions_, add(functions_, object, metrics), add_metrics);  // as when they were scheduled
  std::vector<double> values(metrics.size());
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues, p);
  p.pHostObject = object;
  p.pCounterDataImage = data.data();
  p.counterDataImageSize = data.size();
  p.rangeIndex = range;
  p.ppMetricNames = names.data();
  p.numMetrics = names.size();
  p.pMetricValues = values.data();
  require(functions_, functions_.host_evaluate(&p), "cuptiProfilerHostEvaluateToGpuValues");
  return values;
}

std::vector<std::string> supported_chips(const CuptiFunctions& functions) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips, p);
  require(functions, functions.host_supported_chips(&p), "cuptiProfilerHostGetSupportedChips");
  return {p.ppChipNames, p.ppChipNames + p.numChips};
}

}  // namespace roofline
