#include "bench/counters/cupti/cupti_profiler.hpp"

#include <fmt/format.h>

#include "bench/counters/cupti/cupti_library.hpp"
#include "bench/counters/unavailable.hpp"

namespace roofline {
namespace {

/// Runs `body`; a failed call of CUPTI becomes a line of advice.
template <class Body>
auto advised(Body body) {
  try {
    return body();
  } catch (const CuptiError& error) {
    throw CountersUnavailable(cupti_advice(error.code, error.what(), read_profiling_rights()));
  }
}

void require_supported(const CuptiFunctions& f, int device) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported, p);
  p.cuDevice = device;
  p.api = CUPTI_PROFILER_RANGE_PROFILING;
  require(f, f.device_supported(&p), "cuptiProfilerDeviceSupported");
  if (p.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return;
  const auto refuse = [](CUpti_Profiler_Support_Level level, const std::string& why) {
    if (level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED || level == CUPTI_PROFILER_CONFIGURATION_DISABLED)
      throw CountersUnavailable(why);
  };
  const auto advice = [](CUptiResult code) { return cupti_advice(code, {}, {}); };
  refuse(p.architecture, "this CUPTI counts on compute capability 7.5 and later only; --counters=FILE.csv takes ncu's");
  refuse(p.sli, advice(CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED));
  refuse(p.vGpu, advice(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED));
  refuse(p.confidentialCompute, advice(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED));
  refuse(p.cmp, advice(CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED));
  refuse(p.wsl, advice(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED));
  throw CountersUnavailable(
      "CUPTI says that this GPU cannot be profiled, without a reason: see nvidia-smi, update the driver, "
      "or take ncu's counts (--counters=FILE.csv)");
}

std::vector<std::uint8_t> counter_availability(const CuptiFunctions& f, CUcontext context) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability, p);
  p.ctx = context;
  require(f, f.availability(&p), "cuptiProfilerGetCounterAvailability");
  std::vector<std::uint8_t> image(p.counterAvailabilityImageSize);
  p.pCounterAvailabilityImage = image.data();
  require(f, f.availability(&p), "cuptiProfilerGetCounterAvailability");
  return image;
}

std::vector<std::string> names(const std::vector<ChosenMetric>& metrics) {
  std::vector<std::string> result;
  for (const auto& metric : metrics) result.push_back(metric.name);
  return result;
}

/// An enabled range profiler; leaving it disables it, and stops a pass that an error has cut short.
class ProfiledRange {
 public:
  ProfiledRange(const CuptiFunctions& f, CUcontext context) : f_(f) {
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Enable, p);
    p.ctx = context;
    require(f_, f_.enable(&p), "cuptiRangeProfilerEnable");
    object_ = p.pRangeProfilerObject;
  }
  ~ProfiledRange() {
    if (pushed_) pop();
    if (started_) stop();
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Disable, p);
    p.pRangeProfilerObject = object_;
    f_.disable(&p);
  }
  ProfiledRange(const ProfiledRange&) = delete;
  ProfiledRange& operator=(const ProfiledRange&) = delete;

  std::vector<std::uint8_t> data_image(const std::vector<std::string>& metrics) const {
    std::vector<const char*> pointers;
    for (const auto& metric : metrics) pointers.push_back(metric.c_str());
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize, size);
    size.pRangeProfilerObject = object_;
    size.pMetricNames = pointers.data();
    size.numMetrics = pointers.size();
    size.maxNumOfRanges = size.maxNumRangeTreeNodes = 1;
    require(f_, f_.data_size(&size), "cuptiRangeProfilerGetCounterDataSize");
    std::vector<std::uint8_t> image(size.counterDataSize);
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize, p);
    p.pRangeProfilerObject = object_;
    p.counterDataSize = image.size();
    p.pCounterData = image.data();
    require(f_, f_.data_initialize(&p), "cuptiRangeProfilerCounterDataImageInitialize");
    return image;
  }
  void configure(const CuptiConfig& config, std::vector<std::uint8_t>& data) const {
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig, p);
    p.pRangeProfilerObject = object_;
    p.configSize = config.image.size();
    p.pConfig = config.image.data();
    p.counterDataImageSize = data.size();
    p.pCounterDataImage = data.data();
    p.range = CUPTI_UserRange;
    p.replayMode = CUPTI_UserReplay;
    p.maxRangesPerPass = 1;
    p.numNestingLevels = p.minNestingLevel = p.targetNestingLevel = 1;
    require(f_, f_.set_config(&p), "cuptiRangeProfilerSetConfig");
  }
  /// One pass; true when it was the last one.
  bool pass(const std::function<void()>& launch) {
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Start, start);
    start.pRangeProfilerObject = object_;
    require(f_, f_.start(&start), "cuptiRangeProfilerStart");
    started_ = true;
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange, push);
    push.pRangeProfilerObject = object_;
    push.pRangeName = "launch";
    require(f_, f_.push_range(&push), "cuptiRangeProfilerPushRange");
    pushed_ = true;
    launch();
    require(f_, pop(), "cuptiRangeProfilerPopRange");
    const auto [code, last] = stop();
    require(f_, code, "cuptiRangeProfilerStop");
    return last;
  }
  /// Ranges that found no place in the data.
  std::size_t decode() const {
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData, p);
    p.pRangeProfilerObject = object_;
    require(f_, f_.decode(&p), "cuptiRangeProfilerDecodeData");
    return p.numOfRangeDropped;
  }
  std::size_t ranges(const std::vector<std::uint8_t>& data) const {
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo, p);
    p.pCounterDataImage = data.data();
    p.counterDataImageSize = data.size();
    require(f_, f_.data_info(&p), "cuptiRangeProfilerGetCounterDataInfo");
    return p.numTotalRanges;
  }

 private:
  CUptiResult pop() {
    pushed_ = false;
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange, p);
    p.pRangeProfilerObject = object_;
    return f_.pop_range(&p);
  }
  std::pair<CUptiResult, bool> stop() {
    started_ = false;
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Stop, p);
    p.pRangeProfilerObject = object_;
    const auto code = f_.stop(&p);
    return {code, p.isAllPassSubmitted != 0};
  }

  const CuptiFunctions& f_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  bool started_ = false, pushed_ = false;
};

}  // namespace

CuptiInitialized::CuptiInitialized(const CuptiFunctions& functions) : functions_(functions) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Initialize, p);
  require(functions_, functions_.initialize(&p), "cuptiProfilerInitialize");
}

CuptiInitialized::~CuptiInitialized() {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_DeInitialize, p);
  functions_.deinitialize(&p);
  functions_.finalize();
}

std::string chip_name(const CuptiFunctions& f, int device, const CuptiInitialized&) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Device_GetChipName, p);
  p.deviceIndex = static_cast<std::size_t>(device);
  require(f, f.chip_name(&p), "cuptiDeviceGetChipName");
  return p.pChipName;
}

CuptiProfiler::CuptiProfiler(const CuptiFunctions& functions, int device, CUcontext context)
    : functions_(functions), context_(context) {
  advised([&] {
    initialized_.emplace(functions_);
    require_supported(functions_, device);
    host_.emplace(functions_, chip_name(functions_, device, *initialized_), counter_availability(functions_, context_));
    const auto known = [&](const std::string& name) { return host_->has(name); };
    all_ = plan_of(choose_metrics(known));
    hardware_ = plan_of(choose_hardware_metrics(known));
  });
}

CuptiProfiler::Plan CuptiProfiler::plan_of(std::vector<ChosenMetric> metrics) const {
  if (metrics.empty())
    throw CountersUnavailable(
        fmt::format("CUPTI has no counters for this {}; --counters=FILE.csv takes ncu's", chip()));
  auto config = host_->configure(names(metrics));
  return {std::move(metrics), std::move(config)};
}

MetricValues CuptiProfiler::collect(const std::function<void()>& prepare, const std::function<void()>& launch,
                                    Way way) const {
  return advised([&] { return replay(prepare, launch, plan(way)); });
}

MetricValues CuptiProfiler::replay(const std::function<void()>& prepare, const std::function<void()>& launch,
                                   const Plan& plan) const {
  const auto& [metrics, config] = plan;
  ProfiledRange range(functions_, context_);
  auto data = range.data_image(config.metrics);
  range.configure(config, data);
  std::size_t passes = 0;
  for (bool last = false; !last;) {
    // A profiler that never has enough would launch for ever.
    if (++passes > 2 * config.passes + 2)
      throw CountersUnavailable(fmt::format(
          "CUPTI wants more than the {} passes it planned; the counters are unusable: run again", config.passes));
    prepare();
    last = range.pass(launch);
  }
  if (const auto dropped = range.decode())
    throw CountersUnavailable(
        fmt::format("CUPTI dropped {} range(s) of a launch; the counters are incomplete: run again", dropped));
  if (const auto found = range.ranges(data); found != 1)
    throw CountersUnavailable(fmt::format("CUPTI returned {} ranges for one launch: run again", found));
  const auto collected = host_->evaluate(data, 0, config.metrics);
  MetricValues values;
  for (std::size_t i = 0; i < metrics.size(); ++i) values.set(metrics[i].quantity, collected[i]);
  return values;
}

}  // namespace roofline
