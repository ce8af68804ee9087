#include "bench/counters/cupti/cupti_host.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bench/counters/metrics.hpp"
#include "bench/counters/unavailable.hpp"
#include "tests/error_of.hpp"
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
  static std::vector<std::string> names_of(const std::vector<ChosenMetric>& chosen) {
    std::vector<std::string> names;
    for (const auto& metric : chosen) names.push_back(metric.name);
    return names;
  }
  const CuptiLibrary* library = nullptr;
};

/// Integrated chips have no DRAM counters; the range profiler of CUDA 13 refuses Volta.
const std::set<std::string> integrated{"GA10B", "GB10B", "GB20B"}, refused{"GV100", "GV11B"},
    coalescing{"GH100", "GB100", "GB102", "GB110", "GB10B"};

TEST_F(Cupti, EveryChipHasAllMetricsInFewPasses) {
  using enum Quantity;
  int discrete = 0;
  for (const auto& chip : supported_chips(library->functions)) {
    if (refused.contains(chip)) continue;
    SCOPED_TRACE(chip);
    const CuptiHost host(library->functions, chip);
    const auto has = [&](const std::string& name) { return host.has(name); };
    const auto all = choose_metrics(has), without_instrumented_code = choose_hardware_metrics(has);
    std::set<Quantity> found;
    for (const auto& metric : all) found.insert(metric.quantity);
    for (const auto& metric : metrics()) {
      const bool packed = metric.quantity == fp32_add2 || metric.quantity == fp32_mul2 || metric.quantity == fp32_fma2;
      const bool dram = metric.quantity == dram_read || metric.quantity == dram_written;
      if (metric.quantity == gpc_read_sectors || metric.quantity == gpc_sent_sectors) {
        EXPECT_EQ(found.contains(metric.quantity), coalescing.contains(chip)) << metric.meaning;
        continue;
      }
      if (packed || (dram && integrated.contains(chip)) || metric.quantity == constant_stalls) continue;
      EXPECT_TRUE(found.contains(metric.quantity)) << "lacks " << metric.meaning;
    }
    if (integrated.contains(chip)) continue;
    ++discrete;
    EXPECT_EQ(found.contains(constant_stalls), !chip.starts_with("GB")) << "Blackwell has no such stall";
    EXPECT_LE(host.configure(names_of(all)).passes, 4u);
    EXPECT_GE(without_instrumented_code.size(), 19u);
    EXPECT_LE(host.configure(names_of(without_instrumented_code)).passes, 6u);
  }
  EXPECT_GE(discrete, 20);
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
  const auto said = testing::error_of<CuptiError>([this] { CuptiHost host(library->functions, "gh100"); });
  EXPECT_NE(said.find("cuptiProfilerHostInitialize failed with 46 (CUPTI_ERROR"), std::string::npos)
      << "chip names are case-sensitive: " << said;
}

std::string refusal(const std::vector<std::string>& places) {
  return testing::error_of<CountersUnavailable>([&] { load_cupti(places); });
}

TEST(CuptiLibrary, SaysInOneLineWhatIsMissingAndWhatToDo) {
  const auto line = refusal({"/nowhere/libcupti.so", "/dev/null"});
  EXPECT_NE(line.find("was not found"), std::string::npos) << line;
  EXPECT_NE(line.find("CUDA_PATH"), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(CuptiLibrary, PassesOverALibraryWithoutItsFunctions) {
  EXPECT_NE(refusal({"libm.so.6", "libdl.so.2"}).find("libm.so.6 has no cupti"), std::string::npos)
      << "the first that was found";
  if (testing::sanitized) return;
  auto places = cupti_places();
  places.insert(places.begin(), "libm.so.6");
  try {
    EXPECT_NE(load_cupti(places).path, "libm.so.6");
  } catch (const CountersUnavailable&) {
    EXPECT_THROW(load_cupti(), CountersUnavailable) << "there is one behind it";
  }
}

TEST(CuptiLibrary, IsNamedByTheToolkitAndItsVersionIsReadInEitherNumbering) {
  struct Case {
    unsigned cuda, api;
    const char *file, *text;
  };
  for (const auto& [cuda, api, file, text] :
       {Case{12080, 26, "libcupti.so.12", "12.x (API 26)"}, Case{12090, 28, "libcupti.so.12", "12.x (API 28)"},
        Case{13000, 130000, "libcupti.so.13", "13.0.0"}, Case{13030, 130300, "libcupti.so.13", "13.3.0"}}) {
    EXPECT_EQ(cupti_file_name(cuda), file);
    EXPECT_EQ(cuda_major_of_cupti(api), cuda / 1000);
    EXPECT_EQ(cupti_version_text(api), text);
  }
  EXPECT_EQ(cuda_major_of_cupti(18), 11u) << "CUDA 11.8";
  EXPECT_EQ(cuda_major_of_cupti(CUPTI_API_VERSION), CUDA_VERSION / 1000u);
}

TEST(CuptiLibrary, IsNotLoadedWhereAToolIsAttached) {
  const std::string maps =
      "7f0000000000-7f0000001000 r-xp 00000000 08:01 1 /usr/lib/libc.so.6\n"
      "7f0000002000-7f0000003000 r-xp 00000000 08:01 2 /opt/nvidia/nsight-systems/target/libToolsInjection64.so\n";
  EXPECT_EQ(attached_tool(nullptr, maps), "libToolsInjection64.so");
  EXPECT_EQ(attached_tool("", "7f00-7f01 r-xp 0 08:01 1 /usr/lib/libm.so.6\n[vdso]\n"), "");
  EXPECT_EQ(attached_tool("/opt/tool.so", ""), "CUDA_INJECTION64_PATH=/opt/tool.so");
  ::setenv("CUDA_INJECTION64_PATH", "/opt/tool.so", 1);
  EXPECT_NE(refusal({"libm.so.6"}).find("another tool is attached (CUDA_INJECTION64_PATH=/opt/tool.so)"),
            std::string::npos)
      << "the library is not even opened: " << refusal({"libm.so.6"});
  ::unsetenv("CUDA_INJECTION64_PATH");
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
