#include "bench/counters/cupti/cupti_profiler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "bench/counters/cupti/cupti_advice.hpp"
#include "bench/counters/unavailable.hpp"

namespace roofline::cupti_profiler_test {
namespace {

/// A GPU that is not there: what CUPTI's functions are told to answer, and what was asked of them.
struct FakeGpu {
  std::size_t planned_passes = 2, needed_passes = 2;
  std::size_t dropped = 0, ranges = 1;
  std::string fails;  ///< this function answers `code`
  CUptiResult code = CUPTI_ERROR_UNKNOWN;
  int fails_after = 0;  ///< calls that succeed before
  bool confidential = false;

  std::vector<std::string> calls;
  std::size_t stops = 0;

  CUptiResult called(const std::string& name) {
    calls.push_back(name);
    return name == fails && fails_after-- <= 0 ? code : CUPTI_SUCCESS;
  }
  std::ptrdiff_t count(const std::string& name) const { return std::count(calls.begin(), calls.end(), name); }
};
FakeGpu gpu;

/// Metrics get their position as value, from 1; the third is not a number, as on a MIG instance.
CuptiFunctions fakes() {
  CuptiFunctions f;
  f.result_string = [](CUptiResult, const char** text) { return *text = "words", CUPTI_SUCCESS; };
  f.host_initialize = [](auto*) { return CUPTI_SUCCESS; };
  f.host_deinitialize = [](auto*) { return CUPTI_SUCCESS; };
  f.host_metric_properties = [](auto*) { return CUPTI_SUCCESS; };
  f.host_add_metrics = [](auto*) { return CUPTI_SUCCESS; };
  f.host_image_size = [](auto* p) { return p->configImageSize = 16, CUPTI_SUCCESS; };
  f.host_image = [](auto*) { return CUPTI_SUCCESS; };
  f.host_passes = [](auto* p) { return p->numOfPasses = gpu.planned_passes, CUPTI_SUCCESS; };
  f.host_evaluate = [](auto* p) {
    for (std::size_t i = 0; i < p->numMetrics; ++i) p->pMetricValues[i] = static_cast<double>(i + 1);
    p->pMetricValues[2] = std::numeric_limits<double>::quiet_NaN();
    return CUPTI_SUCCESS;
  };
  f.initialize = [](auto*) { return gpu.called("initialize"); };
  f.deinitialize = [](auto*) { return gpu.called("deinitialize"); };
  f.device_supported = [](auto* p) {
    const auto ok = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    p->architecture = p->sli = p->vGpu = p->cmp = p->wsl = ok;
    p->confidentialCompute = gpu.confidential ? CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED : ok;
    p->isSupported = p->confidentialCompute;
    return gpu.called("device_supported");
  };
  f.chip_name = [](auto* p) { return p->pChipName = "GH100", gpu.called("chip_name"); };
  f.availability = [](auto* p) { return p->counterAvailabilityImageSize = 8, gpu.called("availability"); };
  f.enable = [](auto*) { return gpu.stops = 0, gpu.called("enable"); };
  f.disable = [](auto*) { return gpu.called("disable"); };
  f.data_size = [](auto* p) { return p->counterDataSize = 32, CUPTI_SUCCESS; };
  f.data_initialize = [](auto*) { return CUPTI_SUCCESS; };
  f.set_config = [](auto* p) {
    EXPECT_EQ(p->range, CUPTI_UserRange);
    EXPECT_EQ(p->replayMode, CUPTI_UserReplay);
    return gpu.called("set_config");
  };
  f.start = [](auto*) { return gpu.called("start"); };
  f.push_range = [](auto*) { return gpu.called("push"); };
  f.pop_range = [](auto*) { return gpu.called("pop"); };
  f.stop = [](auto* p) { return p->isAllPassSubmitted = ++gpu.stops >= gpu.needed_passes, gpu.called("stop"); };
  f.decode = [](auto* p) { return p->numOfRangeDropped = gpu.dropped, gpu.called("decode"); };
  f.data_info = [](auto* p) { return p->numTotalRanges = gpu.ranges, CUPTI_SUCCESS; };
  return f;
}

class Replay : public ::testing::Test {
 protected:
  void SetUp() override { gpu = {}; }
  MetricValues collect() {
    const CuptiProfiler profiler(functions_, 0, nullptr);
    return profiler.collect([] { gpu.calls.push_back("prepare"); }, [] { gpu.calls.push_back("launch"); });
  }
  std::string refusal() {
    try {
      collect();
    } catch (const CountersUnavailable& why) {
      return why.what();
    }
    return "accepted";
  }
  const CuptiFunctions functions_ = fakes();
};

TEST_F(Replay, LaunchesOncePerPassAndPreparesBeforeEach) {
  gpu.planned_passes = gpu.needed_passes = 3;
  collect();
  EXPECT_EQ(gpu.count("launch"), 3);
  ASSERT_EQ(gpu.count("prepare"), 3);
  const std::vector<std::string> pass{"prepare", "start", "push", "launch", "pop", "stop"};
  const auto first = std::find(gpu.calls.begin(), gpu.calls.end(), "prepare");
  for (std::ptrdiff_t i = 0; i < 18; ++i) EXPECT_EQ(first[i], pass[static_cast<std::size_t>(i) % 6]) << i;
  EXPECT_EQ(gpu.calls.end()[-3], "decode");
  EXPECT_EQ(gpu.calls.end()[-2], "disable");
  EXPECT_EQ(gpu.calls.back(), "deinitialize");
}

TEST_F(Replay, ValuesCarryTheQuantitiesOfTheirMetricsAndNaNsAreAbsent) {
  const auto values = collect();
  EXPECT_EQ(values[Quantity::fp64_add], 1);
  EXPECT_EQ(values[Quantity::fp64_mul], 2);
  EXPECT_FALSE(values[Quantity::fp64_fma]) << "the third metric was not a number";
  EXPECT_EQ(values[Quantity::fp32_add], 4);
}

TEST_F(Replay, AnUninstrumentedCollectionHasTheQuantitiesOfTheHardware) {
  const CuptiProfiler profiler(functions_, 0, nullptr);
  const auto values = profiler.collect([] {}, [] {}, CuptiProfiler::Way::hardware);
  EXPECT_FALSE(values[Quantity::fp64_add]);
  const auto& metrics = profiler.metrics(CuptiProfiler::Way::hardware);
  ASSERT_LT(metrics.size(), profiler.metrics().size());
  EXPECT_EQ(values[metrics[1].quantity], 2) << "values in the order of this collection's metrics";
}

TEST_F(Replay, AnErrorInTheMiddleDisablesAndTheNextCollectionWorks) {
  const CuptiProfiler profiler(functions_, 0, nullptr);
  gpu.fails = "start", gpu.fails_after = 1;
  EXPECT_THROW(profiler.collect([] {}, [] { gpu.calls.push_back("launch"); }), CountersUnavailable);
  EXPECT_EQ(gpu.count("launch"), 1);
  EXPECT_EQ(gpu.count("disable"), 1);
  EXPECT_EQ(gpu.count("decode"), 0);
  gpu.fails.clear();
  EXPECT_EQ(profiler.collect([] {}, [] {})[Quantity::fp64_add], 1);
}

TEST_F(Replay, ALaunchThatThrowsStopsItsPassAndPassesOn) {
  const CuptiProfiler profiler(functions_, 0, nullptr);
  EXPECT_THROW(profiler.collect([] {}, [] { throw std::out_of_range("launch failure"); }), std::out_of_range);
  EXPECT_EQ(gpu.count("pop"), 1);
  EXPECT_EQ(gpu.count("stop"), 1);
  EXPECT_EQ(gpu.count("disable"), 1);
}

TEST_F(Replay, DroppedRangesAreRefused) {
  gpu.dropped = 1;
  EXPECT_NE(refusal().find("dropped 1 range"), std::string::npos);
  gpu.dropped = 0, gpu.ranges = 0;
  EXPECT_NE(refusal().find("returned 0 ranges"), std::string::npos);
}

TEST_F(Replay, NeverEndingPassesAreCutShort) {
  gpu.needed_passes = 1000;
  EXPECT_NE(refusal().find("more than the 2 passes"), std::string::npos);
  EXPECT_LT(gpu.count("launch"), 10);
}

TEST_F(Replay, NoPermissionGivesTheSuggestions) {
  gpu.fails = "availability", gpu.code = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  const auto line = refusal();
  for (const char* part : {"no permission", "RmProfilingAdminOnly", "CAP_SYS_ADMIN", "NVreg_Restrict"})
    EXPECT_NE(line.find(part), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(gpu.calls.back(), "deinitialize") << "what was initialised is given back";
}

TEST_F(Replay, AHolderOfTheCountersIsNamed) {
  gpu.fails = "enable", gpu.code = CUPTI_ERROR_HARDWARE_BUSY;
  EXPECT_NE(refusal().find("dcgmi profile --pause"), std::string::npos);
}

TEST_F(Replay, UnsupportedDevicesSayWhyBeforeAnythingElseIsAsked) {
  gpu.confidential = true;
  EXPECT_NE(refusal().find("confidential computing"), std::string::npos);
  EXPECT_EQ(gpu.count("availability"), 0);
}

TEST(CuptiAdvice, ReadsTheDriversParametersAndTheCapabilities) {
  const auto line = [](const char* parameters, const char* status) {
    return cupti_advice(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, {}, {parameters, status});
  };
  EXPECT_NE(line("Mobile: 0\nRmProfilingAdminOnly: 1\n", "CapEff:\t0000004000000000\n")
                .find("RmProfilingAdminOnly: 1, this process lacks CAP_SYS_ADMIN and has CAP_PERFMON"),
            std::string::npos);
  EXPECT_NE(line("", "CapEff:\t0000000000200000\n").find("unknown, this process has CAP_SYS_ADMIN and lacks"),
            std::string::npos);
}

TEST(CuptiAdvice, EveryDocumentedRefusalHasOneLineOfItsOwn) {
  std::set<std::string> lines;
  for (const int code : {7, 8, 9, 14, 15, 26, 27, 33, 35, 36, 39, 40, 41, 42, 43, 44, 45, 46, 999}) {
    const auto line = cupti_advice(static_cast<CUptiResult>(code), "said", {});
    EXPECT_NE(line, "said") << code;
    EXPECT_EQ(line.find('\n'), std::string::npos) << code;
    EXPECT_TRUE(lines.insert(line).second) << code << " has another's: " << line;
  }
  EXPECT_EQ(cupti_advice(CUPTI_ERROR_DISABLED, "said", {}), "said");
}

TEST(CuptiAdvice, BlamesAMissingLibraryOnlyWhereItIsMissing) {
  const auto says = [](bool loaded) {
    return cupti_advice(CUPTI_ERROR_NOT_INITIALIZED, "said", {{}, {}, loaded}).find("libnvperf_host") !=
           std::string::npos;
  };
  EXPECT_TRUE(says(false));
  EXPECT_FALSE(says(true));
}

}  // namespace
}  // namespace roofline::cupti_profiler_test
