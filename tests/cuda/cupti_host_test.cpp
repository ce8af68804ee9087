#include "bench/counters/cupti/cupti_host.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bench/counters/metrics.hpp"
#include "bench/counters/unavailable.hpp"
#include "tests/sanitized.hpp"

namespace roofline::cupti_host_test {
namespace {

/// The real library: its host side works on machines without a GPU.
class Cupti : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::sanitized) GTEST_SKIP() << "libnvperf_host wants RTLD_DEEPBIND, which sanitizers refuse";
    try {
      static const auto loaded = load_cupti();
      library = &loaded;
    } catch (const CountersUnavailable& why) {
      GTEST_SKIP() << why.what();
    }
  }
  std::vector<std::string> chosen(const CuptiHost& host) const {
    std::vector<std::string> names;
    for (const auto& metric : choose_metrics([&](const std::string& name) { return host.has(name); }))
      names.push_back(metric.name);
    return names;
  }
  const CuptiLibrary* library = nullptr;
};

/// Integrated chips have no DRAM counters; the range profiler of CUDA 13 refuses Volta.
const std::set<std::string> integrated{"GA10B", "GB10B", "GB20B"}, refused{"GV100", "GV11B"};

TEST_F(Cupti, EveryDiscreteChipNeedsAtMostTwoPassesForAllMetrics) {
  int discrete = 0;
  for (const auto& chip : supported_chips(library->functions)) {
    if (refused.contains(chip) || integrated.contains(chip)) continue;
    const CuptiHost host(library->functions, chip);
    const auto names = chosen(host);
    EXPECT_LE(host.configure(names).passes, 2u) << chip;
    ++discrete;
  }
  EXPECT_GE(discrete, 20);
}

TEST_F(Cupti, WithoutInstrumentedCodeSixPassesAreEnoughForAnyDiscreteChip) {
  for (const auto& chip : supported_chips(library->functions)) {
    if (refused.contains(chip) || integrated.contains(chip)) continue;
    const CuptiHost host(library->functions, chip);
    std::vector<std::string> names;
    for (const auto& metric : choose_hardware_metrics([&](const std::string& name) { return host.has(name); }))
      names.push_back(metric.name);
    EXPECT_GE(names.size(), 19u) << chip;
    EXPECT_LE(host.configure(names).passes, 6u) << chip;
  }
}

TEST_F(Cupti, OnlyPackedFp32AndTheDramOfIntegratedChipsAreMissing) {
  using enum Quantity;
  for (const auto& chip : supported_chips(library->functions)) {
    if (refused.contains(chip)) continue;
    const CuptiHost host(library->functions, chip);
    std::set<Quantity> found;
    for (const auto& metric : choose_metrics([&](const std::string& name) { return host.has(name); }))
      found.insert(metric.quantity);
    for (const auto& metric : metrics()) {
      const bool packed = metric.quantity == fp32_add2 || metric.quantity == fp32_mul2 || metric.quantity == fp32_fma2;
      const bool dram = metric.quantity == dram_read || metric.quantity == dram_written;
      if (packed || (dram && integrated.contains(chip))) continue;
      EXPECT_TRUE(found.contains(metric.quantity)) << chip << " lacks " << metric.meaning;
    }
  }
}

TEST_F(Cupti, ConfigurationsAreTheSameByteForByte) {
  const CuptiHost first(library->functions, "GH100"), second(library->functions, "GH100");
  const auto names = chosen(first);
  const auto a = first.configure(names), b = second.configure(names);
  EXPECT_FALSE(a.image.empty());
  EXPECT_EQ(a.image, b.image);
  EXPECT_EQ(a.passes, b.passes);
}

TEST_F(Cupti, AnUnknownMetricDoesNotSpoilWhatFollows) {
  const CuptiHost host(library->functions, "GA100");
  EXPECT_FALSE(host.has("no__such_metric.sum"));
  EXPECT_FALSE(host.has("dram__bytes_read")) << "without a roll-up";
  EXPECT_THROW(host.configure({"no__such_metric.sum"}), CuptiError);
  EXPECT_TRUE(host.has("dram__bytes_read.sum"));
  EXPECT_EQ(host.configure({"dram__bytes_read.sum"}).passes, 1u);
}

TEST_F(Cupti, UnknownChipsAreRefusedWithCuptisWords) {
  try {
    const CuptiHost host(library->functions, "gh100");
    FAIL() << "chip names are case-sensitive";
  } catch (const CuptiError& error) {
    EXPECT_EQ(error.code, CUPTI_ERROR_INVALID_CHIP_NAME);
    EXPECT_NE(std::string(error.what()).find("cuptiProfilerHostInitialize failed with 46 (CUPTI_ERROR"),
              std::string::npos)
        << error.what();
  }
}

TEST(CuptiLibrary, SaysInOneLineWhatIsMissingAndWhatToDo) {
  try {
    load_cupti({"/nowhere/libcupti.so", "/dev/null"});
    FAIL() << "loaded";
  } catch (const CountersUnavailable& why) {
    const std::string line = why.what();
    EXPECT_NE(line.find("was not found"), std::string::npos) << line;
    EXPECT_NE(line.find("CUDA_PATH"), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
}

TEST(CuptiLibrary, RefusesALibraryWithoutItsFunctions) {
  try {
    load_cupti({"libm.so.6"});
    FAIL() << "accepted the mathematics library";
  } catch (const CountersUnavailable& why) {
    EXPECT_NE(std::string(why.what()).find("libm.so.6 has no cupti"), std::string::npos) << why.what();
  }
}

TEST(CuptiLibrary, LooksIntoTheToolkitOfTheEnvironmentFirst) {
  const char* const before = std::getenv("CUDA_PATH");
  const std::string kept = before ? before : "";
  ::setenv("CUDA_PATH", "/some/toolkit", 1);
  EXPECT_EQ(cupti_places().front().rfind("/some/toolkit/extras/CUPTI/lib64/libcupti.so.", 0), 0u);
  before ? ::setenv("CUDA_PATH", kept.c_str(), 1) : ::unsetenv("CUDA_PATH");
}

}  // namespace
}  // namespace roofline::cupti_host_test
