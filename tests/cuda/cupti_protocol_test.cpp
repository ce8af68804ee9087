// Counting with a library in place of CUPTI that sees in which order it is called, and refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "bench/counters/cupti/cupti_profiler.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/text/words.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/cuda/fake_cupti/loaded.hpp"
#include "tests/cuda/small_device.hpp"

namespace roofline::cupti_protocol_test {
namespace {

using testing::FakeCupti;
using testing::loaded_fake_cupti;

bool says_what_to_do(const std::string& line) {
  const auto* const to_do =
      "run |install |update |use |choose |pause |see |set |allow |switch |must enable|they need a|--counters=";
  return line.find('\n') == std::string::npos && !matches(to_do, line).empty();
}

/// Loads, opens and counts two rows in both ways, as a run does. Returns the refusals.
std::vector<std::string> refusals() {
  std::vector<std::string> lines;
  try {
    const auto library = load_cupti({testing::fake_cupti_path()});
    const CuptiProfiler profiler(library.functions, 0, nullptr);
    for (int row = 0; row < 2; ++row) try {
        for (const auto way : {CuptiProfiler::Way::all, CuptiProfiler::Way::hardware})
          profiler.collect([] {}, [] {}, way);
      } catch (const CountersUnavailable& why) {
        lines.emplace_back(why.what());
      }
  } catch (const CountersUnavailable& why) {
    lines.emplace_back(why.what());
  }
  return lines;
}

/// The error of a run that fails at this call; empty: none.
std::string fault(const std::string& function, int code, int call, std::size_t& refused) {
  auto& fake = loaded_fake_cupti();
  fake = {};
  fake.fails = function, fake.code = static_cast<CUptiResult>(code), fake.at = call;
  for (const auto& line : refusals()) {
    ++refused;
    if (!says_what_to_do(line)) return "no line of advice: " + line;
  }
  if (!fake.complaints.empty()) return "out of order: " + fake.complaints.front();
  const auto open = loaded_fake_cupti().open;
  return open.empty() ? "" : "left open: " + open;
}

TEST(CuptiProtocol, FunctionsAreCalledInOrderAndEverythingGivenBackThoughAnyCallMayFail) {
  std::size_t refused = 0;
  EXPECT_EQ(fault("", 0, 1, refused), "");
  EXPECT_EQ(refused, 0u);
  const auto calls = loaded_fake_cupti().calls;
  std::set<std::string> functions(calls.begin(), calls.end());
  EXPECT_EQ(functions.size(), 26u);
  functions.insert("cuptiGetResultString");  // words are for calls that fail
  for (const auto& function : functions)
    for (const int code : {1, 7, 8, 9, 14, 15, 17, 26, 27, 33, 35, 36, 39, 40, 41, 42, 43, 44, 45, 46, 999})
      for (const int call : {1, 2}) {
        const auto wrong = fault(function, code, call, refused);
        ASSERT_EQ(wrong, "") << function << " answers " << code << " at call " << call;
      }
  EXPECT_GT(refused, 500u);
}

TEST(CuptiProtocol, LevelsOfSupportWithoutACauseHaveALine) {
  for (const auto level : {CUPTI_PROFILER_CONFIGURATION_UNKNOWN, CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED,
                           CUPTI_PROFILER_CONFIGURATION_DISABLED}) {
    auto& fake = loaded_fake_cupti();
    fake = {};
    fake.supported = level;
    const auto lines = refusals();
    ASSERT_EQ(lines.size(), 1u) << level;
    EXPECT_TRUE(says_what_to_do(lines[0])) << lines[0];
    EXPECT_EQ(loaded_fake_cupti().open, "");
  }
}

/// The program on the virtual GPU, which is let to ask the library.
class CuptiInARun : public ::testing::Test {
 protected:
  testing::Outcome run(const std::string& counters, const std::string& fails, const std::string& environment = "") {
    std::filesystem::remove(folder_ / "journal");
    return testing::shell(
        fmt::format("ROOFLINE_VIRTUAL_CLOCK=1 ROOFLINE_VIRTUAL_CUPTI=1 CUDA_PATH='{}' {} FAKE_CUPTI='{}' "
                    "FAKE_CUPTI_JOURNAL=journal ROOFLINE_VIRTUAL_JOURNAL=journal '{}' --device=virtual:{} --stream=64 "
                    "--quick --benchmark_filter=stream/triad --ceilings=none --counters={}",
                    ROOFLINE_FAKE_CUPTI, environment, fails, ROOFLINE_BENCH, testing::small_device(folder_), counters),
        folder_);
  }
  /// "event" for each that is timed, and the name of each call of the library, in order.
  std::vector<std::string> journal() const {
    std::vector<std::string> names;
    std::istringstream lines(testing::contents(folder_ / "journal"));
    for (std::string line; std::getline(lines, line);) names.push_back(line.substr(0, line.find(' ')));
    return names;
  }
  testing::Scratch folder_;
};

TEST_F(CuptiInARun, ARefusalEndsItOnlyWhereCuptiWasAskedFor) {
  for (const auto& [fails, says] :
       {std::pair{"cuptiProfilerGetCounterAvailability:35:1", "NVreg_RestrictProfilingToAdminUsers=0"},
        {"cuptiRangeProfilerEnable:26:1", "dcgmi profile --pause"},
        {"cuptiRangeProfilerStart:9:2", "see dmesg"},
        {"cuptiProfilerInitialize:15:1", "finds no libnvperf_host.so"}}) {
    const auto automatic = run("auto", fails);
    EXPECT_EQ(automatic.code, 0) << fails << automatic.err;
    const auto warnings = testing::contents(folder_ / "roofline-out/run.json");
    const auto line = warnings.find(says);
    ASSERT_NE(line, std::string::npos) << automatic.out;
    EXPECT_LT(warnings.find("; bytes are ", line), warnings.find('\n', line)) << warnings.substr(line, 1000);
    const auto insisting = run("cupti", fails);
    EXPECT_EQ(insisting.code, 3) << fails << insisting.out;
    EXPECT_NE(insisting.err.find(says), std::string::npos) << insisting.err;
    EXPECT_EQ(testing::contents(folder_ / "journal").find("complaint"), std::string::npos) << fails;
  }
}

TEST_F(CuptiInARun, NextToAnotherToolItIsNotCalled) {
  const auto outcome = run("cupti", "", "CUDA_INJECTION64_PATH=/opt/tool.so");
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_NE(outcome.err.find("another tool is attached (CUDA_INJECTION64_PATH=/opt/tool.so)"), std::string::npos);
  for (const auto& name : journal()) EXPECT_EQ(name, "event");
}

TEST_F(CuptiInARun, OfTwoVersionsTheOneThatFitsIsUsedAndTheOtherIsNamed) {
  const std::string other = folder_ / "cuda-12";
  std::filesystem::create_directories(other + "/lib64");
  std::filesystem::copy(testing::fake_cupti_path(), other + "/lib64");
  const auto outcome = run("cupti", "", fmt::format("CUDA_PATH='{}' CUDA_HOME='{}'", other, ROOFLINE_FAKE_CUPTI));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto says = fmt::format("; from {}, because {}/lib64/{} is CUPTI 12.x (API 28), this program was compiled for",
                                testing::fake_cupti_path(), other, cupti_file_name(CUDA_VERSION));
  EXPECT_NE(testing::contents(folder_ / "roofline-out/run.json").find(says), std::string::npos) << outcome.out;
  ASSERT_EQ(run("cupti", "").code, 0);
  EXPECT_EQ(testing::contents(folder_ / "roofline-out/run.json").find("; from "), std::string::npos);
}

/// So that it knows all code that it has to patch for counting.
TEST_F(CuptiInARun, IsOpenedBeforeAnythingIsTimedAndClosedLast) {
  const auto outcome = run("cupti", "");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto names = journal();
  const auto opened = std::find(names.begin(), names.end(), "cuptiProfilerInitialize");
  EXPECT_EQ(std::find(names.begin(), opened, "event"), opened);
  EXPECT_EQ(std::count(names.begin(), names.end(), "cuptiProfilerInitialize"), 1);
  const auto closed = std::find(opened, names.end(), "cuptiFinalize");
  ASSERT_NE(closed, names.end());
  EXPECT_EQ(std::count_if(closed + 1, names.end(), [](const auto& name) { return name.starts_with("cupti"); }), 0);
  EXPECT_EQ(std::count(names.begin(), names.end(), "complaint"), 0) << testing::contents(folder_ / "journal");
  EXPECT_NE(testing::contents(folder_ / "roofline-out/run.json").find("us with CUPTI and"), std::string::npos);
}

}  // namespace
}  // namespace roofline::cupti_protocol_test
