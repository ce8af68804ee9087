#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/command_line.hpp"

namespace roofline::no_gpu_test {
namespace {

using testing::contents;
using testing::Outcome;
using testing::Scratch;
using testing::shell;

/// Runs the program so that it sees no GPU, whatever the machine has.
Outcome hidden_gpus(const std::string& arguments, const Scratch& folder) {
  return shell("CUDA_VISIBLE_DEVICES= '" ROOFLINE_BENCH "' " + arguments, folder);
}

TEST(NoGpu, AskingForOneIsOneClearLineAndExitCode3) {
  const Scratch folder;
  const auto outcome = hidden_gpus("--device=cuda:0", folder);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("roofline_bench: --device=cuda:0: no NVIDIA ", 0), 0u) << outcome.err;
  EXPECT_NE(outcome.err.find("use --device=cpu"), std::string::npos) << outcome.err;
}

TEST(NoGpu, AutoRunsTheCpuSuiteAndSaysWhy) {
  const Scratch folder;
  const auto outcome = hidden_gpus("--stream=20000 --quick --benchmark_filter=stream/triad --ceilings=none", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto document = testing::json_of(folder / "roofline-out/run.json");
  EXPECT_FALSE(document["context"].contains("gpu_name"));
  EXPECT_EQ(document["roofline"]["device_note"].get<std::string>().rfind("no NVIDIA ", 0), 0u) << document["roofline"];
  EXPECT_EQ(document["benchmarks"].size(), 1u);
}

TEST(NoGpu, ADriverThatIsOlderThanTheToolkitIsNamedAndTheCpuSuiteRuns) {
  const Scratch folder;
  const auto with_old_driver = [&](const std::string& arguments) {
    return shell("LD_LIBRARY_PATH='" ROOFLINE_FAKE_NVML "/../driver' '" ROOFLINE_BENCH "' " + arguments, folder);
  };
  testing::expect_one_line(with_old_driver("--device=cuda:0"), 3, "knows CUDA 11.8, this build needs 1");
  const auto outcome = with_old_driver("--stream=20000 --quick --benchmark_filter=stream/triad --ceilings=none");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto document = testing::json_of(folder / "roofline-out/run.json");
  const auto note = document["roofline"]["device_note"].get<std::string>();
  EXPECT_NE(note.find("knows CUDA 11.8"), std::string::npos) << note;
  EXPECT_EQ(document["benchmarks"].size(), 1u);
}

TEST(NoGpu, TheToolkitsStubIsNamed) {
  const std::string stub = "/usr/local/cuda/lib64/stubs/libcuda.so";
  if (!std::filesystem::exists(stub)) GTEST_SKIP() << "no stub of libcuda in /usr/local/cuda";
  const Scratch folder;
  std::filesystem::create_symlink(stub, folder / "libcuda.so.1");
  const auto outcome = shell("LD_LIBRARY_PATH=. '" ROOFLINE_BENCH "' --device=cuda:0", folder);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("stub"), std::string::npos) << outcome.err;
}

TEST(NoGpu, TheCountersAreDescribedWithTheCommandForNsightCompute) {
  const Scratch folder;
  const auto outcome = hidden_gpus("--describe counters", folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"dram__bytes_read.sum", "ncu --profile-from-start off", "--print-nvtx-rename kernel"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace roofline::no_gpu_test
