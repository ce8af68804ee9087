#include "bench/cuda/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "bench/cuda/gpu.hpp"
#include "tests/command_line.hpp"
#include "tests/cuda/small_device.hpp"

namespace roofline::nvml_test {
namespace {

/// A library of recorded answers that is loaded before is found by its name.
class Nvml : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_TRUE(::dlopen(ROOFLINE_FAKE_NVML "/libnvidia-ml.so.1", RTLD_NOW | RTLD_GLOBAL)) << ::dlerror();
  }
  void TearDown() override { ::unsetenv("FAKE_NVML"); }
  static GpuState state(const char* situation) {
    ::setenv("FAKE_NVML", situation, 1);
    return gpu_state("0000:3b:00.0").value();
  }
};

TEST_F(Nvml, SaysInWordsWhatACardDoes) {
  EXPECT_EQ(state("idle_h100").text(), "345 MHz, memory 2619 MHz, 70 of 700 W, 31 C, ECC on, persistence on");
  EXPECT_EQ(state("capped_l4").text(),
            "1125 MHz, memory 6251 MHz, 72 of 72 W, 78 C, ECC on, persistence off, held back by its power cap");
  EXPECT_EQ(state("thermal_a100").text(),
            "1095 MHz, memory 1215 MHz, 240 of 400 W, 92 C, ECC on, persistence on, held back by heat (software), held "
            "back by heat (hardware)");
  EXPECT_EQ(state("mig_slice").text(), "1410 MHz, memory 1593 MHz, 40 C, ECC on, MIG on, persistence on");
  EXPECT_EQ(state("wsl").text(), "1905 MHz, 85 W") << "half of it is not supported there";
  EXPECT_EQ(state("two_processes").text(),
            "1980 MHz, memory 2619 MHz, 300 of 700 W, 50 C, ECC on, persistence on, 1 other process on it");
  EXPECT_NE(state("crowded").text().find("99 other processes"), std::string::npos)
      << "more than its answer has room for";
}

TEST_F(Nvml, OfAnUnknownDeviceNothingIsSaid) {
  EXPECT_FALSE(gpu_state("nowhere"));
  EXPECT_FALSE(clock_reasons("nowhere"));
}

TEST_F(Nvml, IdlingAndChosenClocksAreNoBrakes) {
  EXPECT_TRUE(brakes(0x1 | 0x2 | 0x10 | 0x100).empty());
  EXPECT_EQ(brakes(0x80), std::vector<std::string>{"the power supply's brake"});
  Brakes seen;
  seen.saw("stream/copy", 0x4), seen.saw("stream/copy", 0x4), seen.saw("stream/add", 0x5), seen.saw("stream/dot", 0x1);
  EXPECT_EQ(seen.lines(),
            std::vector<std::string>{"the GPU's clock was held back by its power cap in 2 rows: stream/copy, ..."});
}

TEST_F(Nvml, PowerIsEnergyByTimeWhereTheCardCountsItElseAReading) {
  const auto power = [](const char* situation) {
    ::setenv("FAKE_NVML", situation, 1);
    return power_under([] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }, "0000:3b:00.0");
  };
  const auto counted = power("thermal_a100"), read = power("wsl");
  ASSERT_TRUE(counted && read);
  EXPECT_TRUE(counted->counted);
  EXPECT_NEAR(counted->watts, 240, 0.05 * 240);
  EXPECT_FALSE(read->counted);
  EXPECT_EQ(read->watts, 85);
  EXPECT_FALSE(power("mig_slice")) << "it tells neither";
}

/// A run on the virtual GPU with this library or without any.
testing::Outcome run(const testing::Scratch& folder, const std::string& environment) {
  return testing::shell(fmt::format("{} ROOFLINE_VIRTUAL_CLOCK=1 '{}' --device=virtual:{} --stream=64 --quick "
                                    "--benchmark_filter=stream/triad --ceilings=none --counters=none",
                                    environment, ROOFLINE_BENCH, testing::small_device(folder)),
                        folder);
}

TEST_F(Nvml, StateCodeAndBrakesOfARunAreInItsTableAndWarnings) {
  const testing::Scratch folder;
  const auto outcome = run(folder, "LD_LIBRARY_PATH=" ROOFLINE_FAKE_NVML " FAKE_NVML=capped_l4");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto document = testing::json_of(folder / "roofline-out/run.json");
  std::map<std::string, std::string> facts;
  for (const auto& fact : document["roofline"]["gpu_facts"]) facts[fact[0]] = fact[1];
  EXPECT_EQ(facts["code"], "sm_90") << document["roofline"]["gpu_facts"];
  EXPECT_EQ(facts["bus"].rfind("0000:01:00.0, GPU-", 0), 0u) << facts["bus"];
  EXPECT_EQ(facts["state"].rfind("1125 MHz, ", 0), 0u);
  EXPECT_EQ(facts["state after"], facts["state"]);
  EXPECT_NE(facts["power"].find("by the card's counter of energy in 1 rows"), std::string::npos) << facts["power"];
  const auto& row = document["roofline"]["points"][0];
  EXPECT_NEAR(row["watts"].get<double>(), 71.9, 0.05 * 71.9);
  const double seconds = row["joules"].get<double>() / row["watts"].get<double>();
  EXPECT_NEAR(seconds, row["time"]["median"].get<double>(), 0.2 * seconds);
  EXPECT_NE(document["roofline"]["warnings"].dump().find("held back by its power cap in 1 row: stream/triad"),
            std::string::npos)
      << document["roofline"]["warnings"];
}

TEST_F(Nvml, OtherProcessesAreAWarning) {
  const testing::Scratch folder;
  const auto outcome = run(folder, "LD_LIBRARY_PATH=" ROOFLINE_FAKE_NVML " FAKE_NVML=two_processes");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto warnings = testing::json_of(folder / "roofline-out/run.json")["roofline"]["warnings"].dump();
  EXPECT_NE(warnings.find("the GPU had 1 other process on it"), std::string::npos) << warnings;
}

TEST_F(Nvml, TheNumberIsNvidiaSmisWhateverIsVisible) {
  const testing::Scratch folder;
  const auto numbered = [&](const std::string& environment) {
    const auto outcome =
        run(folder, "LD_LIBRARY_PATH=" ROOFLINE_FAKE_NVML " FAKE_NVML=idle_h100 FAKE_NVML_INDEX=3 " + environment);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return testing::json_of(folder / "roofline-out/run.json")["roofline"]["gpu_facts"].dump();
  };
  EXPECT_NE(numbered("CUDA_VISIBLE_DEVICES=3").find("nvidia-smi's number 3: CUDA_VISIBLE_DEVICES=3 chooses and orders"),
            std::string::npos);
  EXPECT_NE(numbered("env -u CUDA_VISIBLE_DEVICES").find("nvidia-smi's number 3: CUDA counts the fastest first"),
            std::string::npos);
}

TEST_F(Nvml, ARunWithoutItSaysThatTheStateIsUnknown) {
  if (std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "a driver brings it along";
  const testing::Scratch folder;
  const auto outcome = run(folder, "");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(testing::contents(folder / "roofline-out/run.json").find("no NVML (libnvidia-ml.so.1) that knows this GPU"),
            std::string::npos);
}

TEST(GpuReport, CodeIsMachineCodeOrWhatTheDriverMakesOfPtx) {
  EXPECT_EQ(code_text(90, 90, ",90,"), "sm_90");
  EXPECT_EQ(code_text(90, 75, ",75,90,"), "sm_90") << "both made of one PTX";
  EXPECT_EQ(code_text(80, 80, ",80,90,"), "sm_80") << "on 8.6";
  EXPECT_EQ(code_text(89, 75, ",75,90,"), "PTX 7.5, compiled by the driver");
  EXPECT_EQ(code_text(89, 89, ",,"), "PTX 8.9, compiled by the driver") << "of the same version";
}

TEST(GpuReport, OldDriversAreOneLineWithTheCompatibilityPackage) {
  struct Case {
    int cuda;
    const char *release, *says;
  };
  for (const auto& [cuda, release, says] :
       {Case{12020, "535.183.01", "driver 535.183.01 knows CUDA 12.2"},
        Case{12040, "550.54.15", "550.54.15 knows CUDA 12.4"}, Case{12080, "570.124.06", "570.124.06 knows CUDA 12.8"},
        Case{12080, "", "the NVIDIA driver knows CUDA 12.8"}}) {
    const auto [why, what] = old_driver(cuda, 13000, release);
    EXPECT_NE(why.find(says), std::string::npos) << why;
    EXPECT_NE(why.find("this build needs 13.0"), std::string::npos) << why;
    EXPECT_NE(what.find("cuda-compat-13-0"), std::string::npos) << what;
    EXPECT_TRUE(what.starts_with("build with nvcc of CUDA 12, ")) << what;
    EXPECT_EQ((why + what).find('\n'), std::string::npos);
  }
  EXPECT_TRUE(old_driver(11080, 12040, "520.61.05").second.starts_with("update")) << "no nvcc of CUDA 11 compiles this";
}

TEST(GpuReport, CardsOfAnotherCapabilityThanTheBuildAreLeftOut) {
  const auto left_out = [](std::string_view machine_code, std::string_view ptx) {
    Gpus gpus;
    for (const int capability : {37, 75, 80, 86, 90, 100})
      gpus.found.push_back({.index = capability, .name = "X", .major = capability / 10, .minor = capability % 10});
    leave_out_without_code(gpus, machine_code, ptx);
    std::set<int> missing{37, 75, 80, 86, 90, 100};
    for (const auto& gpu : gpus.found) missing.erase(gpu.index);
    for (const int index : missing)
      EXPECT_NE(gpus.why_none.find(fmt::format("cuda:{} (X, compute capability", index)), std::string::npos)
          << gpus.why_none;
    EXPECT_EQ(gpus.why_none.empty(), missing.empty());
    return missing;
  };
  EXPECT_EQ(left_out(",75,90,", ",75,"), (std::set{37}));
  EXPECT_EQ(left_out(",,", ",90,"), (std::set{37, 75, 80, 86})) << "PTX runs on what is newer";
  EXPECT_EQ(left_out(",80,", ",,"), (std::set{37, 75, 90, 100})) << "machine code on its generation";
  EXPECT_EQ(left_out(",86,90,", ",,"), (std::set{37, 75, 80, 100})) << "that is not older";
  EXPECT_EQ(left_out(",37,", ",75,"), std::set<int>());
}

}  // namespace
}  // namespace roofline::nvml_test
