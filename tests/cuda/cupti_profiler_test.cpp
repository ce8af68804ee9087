#include "bench/counters/cupti/cupti_profiler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "bench/counters/cupti/cupti_library.hpp"
#include "bench/counters/unavailable.hpp"
#include "tests/cuda/fake_cupti/loaded.hpp"
#include "tests/error_of.hpp"

namespace roofline::cupti_profiler_test {
namespace {

class Replay : public ::testing::Test {
 protected:
  void SetUp() override { gpu = {}; }
  MetricValues collect() {
    const CuptiProfiler profiler(functions_, 0, nullptr);
    return profiler.collect([this] { gpu.calls.push_back("prepare"); }, [this] { gpu.calls.push_back("launch"); });
  }
  std::ptrdiff_t count(const std::string& name) const { return std::count(gpu.calls.begin(), gpu.calls.end(), name); }
  std::string refusal() {
    return testing::error_of<CountersUnavailable>([this] { collect(); });
  }
  testing::FakeCupti& gpu = testing::loaded_fake_cupti();
  const CuptiFunctions functions_ = load_cupti({testing::fake_cupti_path()}).functions;
};

TEST_F(Replay, LaunchesOncePerPassAndPreparesBeforeEach) {
  gpu.planned_passes = gpu.needed_passes = 3;
  collect();
  EXPECT_EQ(count("launch"), 3);
  ASSERT_EQ(count("prepare"), 3);
  const std::vector<std::string> pass{"prepare", "cuptiRangeProfilerStart",    "cuptiRangeProfilerPushRange",
                                      "launch",  "cuptiRangeProfilerPopRange", "cuptiRangeProfilerStop"};
  const auto first = std::find(gpu.calls.begin(), gpu.calls.end(), "prepare");
  for (std::ptrdiff_t i = 0; i < 18; ++i) EXPECT_EQ(first[i], pass[static_cast<std::size_t>(i) % 6]) << i;
  EXPECT_EQ(gpu.calls.end()[-2], "cuptiProfilerDeInitialize");
  EXPECT_EQ(gpu.calls.back(), "cuptiFinalize") << "nothing of CUPTI stays in the process";
}

TEST_F(Replay, ValuesCarryTheQuantitiesOfTheirMetricsAndNaNsAreAbsent) {
  gpu.value = [n = 0.0](const std::string&) mutable { return ++n == 3 ? std::numeric_limits<double>::quiet_NaN() : n; };
  const auto values = collect();
  EXPECT_EQ(values[Quantity::fp64_add], 1);
  EXPECT_EQ(values[Quantity::fp64_mul], 2);
  EXPECT_FALSE(values[Quantity::fp64_fma]) << "the third metric was not a number";
  EXPECT_EQ(values[Quantity::fp32_add], 4);
}

TEST_F(Replay, AnUninstrumentedCollectionHasTheQuantitiesOfTheHardware) {
  gpu.value = [n = 0.0](const std::string&) mutable { return ++n; };
  const CuptiProfiler profiler(functions_, 0, nullptr);
  const auto values = profiler.collect([] {}, [] {}, CuptiProfiler::Way::hardware);
  EXPECT_FALSE(values[Quantity::fp64_add]);
  const auto& metrics = profiler.metrics(CuptiProfiler::Way::hardware);
  ASSERT_LT(metrics.size(), profiler.metrics().size());
  EXPECT_EQ(values[metrics[1].quantity], 2) << "values in the order of this collection's metrics";
}

TEST_F(Replay, ALaunchThatThrowsStopsItsPassAndPassesOn) {
  const CuptiProfiler profiler(functions_, 0, nullptr);
  EXPECT_THROW(profiler.collect([] {}, [] { throw std::out_of_range("launch failure"); }), std::out_of_range);
  EXPECT_EQ(count("cuptiRangeProfilerPopRange"), 1);
  EXPECT_EQ(count("cuptiRangeProfilerStop"), 1);
  EXPECT_EQ(count("cuptiRangeProfilerDisable"), 1);
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
  EXPECT_LT(count("launch"), 10);
}

TEST_F(Replay, UnsupportedDevicesSayWhyBeforeAnythingElseIsAsked) {
  gpu.supported = gpu.confidential = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
  EXPECT_NE(refusal().find("confidential computing"), std::string::npos);
  EXPECT_EQ(count("cuptiProfilerGetCounterAvailability"), 0);
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
  EXPECT_EQ(cupti_advice(CUPTI_ERROR_DISABLED, "said", {}).rfind("said; nothing is known of that: run again", 0), 0u);
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
