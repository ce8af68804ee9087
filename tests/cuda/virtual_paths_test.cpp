// The ways that a run on a GPU can take, from the command line to its files, on the virtual GPU: ceilings, sweep, cold
// twins, graphs, journal, recovery, counters, verification.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bench/cuda/gpu.hpp"
#include "bench/suite/suite.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "microkernels/cuda/ert.hpp"
#include "tests/command_line.hpp"
#include "tests/cuda/small_device.hpp"

namespace roofline::virtual_paths_test {
namespace {

using testing::contents;
using testing::Outcome;
using testing::Scratch;

/// Runs the program on the small device with its clock and without it.
class VirtualPaths : public ::testing::Test {
 protected:
  Outcome run(const std::string& arguments, const std::string& environment = {}) {
    return testing::shell(
        fmt::format("{} '{}' --device=virtual:{} {}", environment, ROOFLINE_BENCH, device_, arguments), folder_);
  }
  Outcome clocked(const std::string& arguments, const std::string& environment = {}) {
    return run(arguments, "ROOFLINE_VIRTUAL_CLOCK=1 " + environment);
  }
  nlohmann::ordered_json document(const char* name = "run.json") const {
    return testing::json_of(folder_ / "roofline-out/" + name);
  }
  /// Rows with a result, by name.
  std::map<std::string, nlohmann::ordered_json> rows() const {
    std::map<std::string, nlohmann::ordered_json> found;
    const auto json = document();
    for (const auto& row : json["benchmarks"])
      if (!row.value("error_occurred", false)) found[row["name"]] = row;
    return found;
  }
  static std::string text(const nlohmann::ordered_json& json) { return json.dump(); }

  Scratch folder_;
  std::string device_ = testing::small_device(folder_);
};

// Four short rows of one family, in this order.
const std::string quick = "--stream=64 --quick ";
const std::string four = quick + "--benchmark_filter='stream/(copy|scale|add|triad)' ";

TEST_F(VirtualPaths, CeilingsAreCalibratedTriedMeasuredAndHeldAgainstTheory) {
  const auto outcome = clocked(quick + "--benchmark_filter='ceiling/flops/fp64/add/vector$|DRAM/read$'");
  ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const auto found = rows();
  ASSERT_TRUE(found.contains("ceiling/flops/fp64/add/vector")) << outcome.out;
  ASSERT_TRUE(found.contains("ceiling/bandwidth/DRAM/read")) << outcome.out;
  const double rate = found.at("ceiling/flops/fp64/add/vector")["FLOP/s"], units = 64 * 1e6;
  EXPECT_LE(rate, 1.001 * units) << "more additions than lanes";
  EXPECT_GE(rate, 0.9 * units);
  EXPECT_EQ(outcome.out.find(" fail: "), std::string::npos) << outcome.out;
}

TEST_F(VirtualPaths, WhatTheClockSaysIsNeverQuoted) {
  const auto outcome = clocked(four + "--ceilings=none");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("virtual clock: nothing was measured"), std::string::npos) << outcome.out;
  EXPECT_NE(text(document()["context"]["times"]).find("virtual clock"), std::string::npos);
  // Nor does it ask the real counters of a device that is not there.
  EXPECT_NE(outcome.out.find("a virtual GPU has no hardware counters"), std::string::npos) << outcome.out;
}

TEST_F(VirtualPaths, TheErtSweepIsVerifiedAndBelowTheUnitsOfTheClock) {
  const runtime::Scope on(device_);
  constexpr double budget = 0.2;  // seconds of the virtual clock, which passes as fast as the sweep is executed
  const auto ert = run_cuda_ert(current_gpu(), budget);
  ASSERT_EQ(ert.sweeps.size(), 15u) << "three intensities, five sizes of blocks";
  for (const auto& sweep : ert.sweeps) {
    EXPECT_EQ(sweep.failure, "");
    EXPECT_FALSE(sweep.rows.empty());
  }
  EXPECT_GT(ert.flop_rate, 0.5 * 128e6);
  EXPECT_LE(ert.flop_rate, 1.001 * 128e6) << "faster than 64 lanes at 1 MHz";
}

TEST_F(VirtualPaths, ColdTwinsEmptyL2AndAreAsFastWhereTheyReadNothing) {
  const runtime::Scope on(testing::small_device(folder_, 2e7));  // a launch takes 5 us, an event one more
  const auto rows = testing::gpu_rows("stream", {64}, current_gpu());
  const auto seconds_of = [&](const std::string& row, int batch) {
    const auto work = testing::made(rows, row);
    work.launch();
    const auto before = runtime::executed().global_load.bytes;
    const double seconds = work.time(batch) / batch;
    EXPECT_EQ(work.check().message, "");
    return std::pair(seconds, (runtime::executed().global_load.bytes - before) / static_cast<unsigned>(batch));
  };
  const auto [hot, hot_bytes] = seconds_of("stream/triad/n:64", 40);
  const auto [cold, cold_bytes] = seconds_of("stream/triad/n:64/cache:cold", 8);
  EXPECT_NEAR(cold, hot, 0.05 * hot) << "what an event costs is the kernel's";
  EXPECT_EQ(hot_bytes, 2u * 64 * 8);
  EXPECT_EQ(cold_bytes, hot_bytes + (2 * 256 << 10)) << "L2 was not emptied";
}

TEST_F(VirtualPaths, ShortLaunchesGoIntoAGraphAndWithoutOneByTheHost) {
  device_ = testing::small_device(folder_, 1e9);  // launches of 2 us
  const std::string one = quick + "--benchmark_filter=stream/copy --ceilings=none";
  ASSERT_EQ(clocked(one, "ROOFLINE_VIRTUAL_FAULTS='capture:1+=refused'").code, 0);
  EXPECT_EQ(rows().size(), 1u) << "a launch that cannot be recorded is launched by the host";
  // Where the sixtieth launch fails tells who made it.
  const std::string late = "launch(stream):60=illegal-address";
  const auto recorded = clocked(one, "ROOFLINE_VIRTUAL_FAULTS='" + late + "'");
  EXPECT_EQ(recorded.code, 1);
  EXPECT_EQ(recorded.err.find("n:64: the launch of a kernel"), std::string::npos) << recorded.err;
  const auto one_by_one = clocked(one, "ROOFLINE_VIRTUAL_FAULTS='" + late + ",capture:1+=refused'");
  EXPECT_NE(one_by_one.err.find("n:64: the launch of a kernel"), std::string::npos) << one_by_one.err;
}

TEST_F(VirtualPaths, AStickyErrorCostsItsRowAndNoOther) {
  for (const auto& [arguments, clock] : {std::pair<std::string, bool>{"--ceilings=none", true}, {"", false}}) {
    const std::string fault = "ROOFLINE_VIRTUAL_FAULTS='launch(Scale):1=illegal-address'";
    const auto outcome = clock ? clocked(four + arguments, fault) : run(four + arguments, fault);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const auto found = rows();
    for (const char* name : {"copy", "add", "triad"})
      EXPECT_TRUE(found.contains(fmt::format("stream/{}/n:64", name))) << name << outcome.err;
    EXPECT_FALSE(found.contains("stream/scale/n:64"));
    EXPECT_NE(outcome.err.find("stream/scale/n:64: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("an illegal memory access was encountered"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("lost earlier"), std::string::npos) << "another row met the dead context";
  }
}

TEST_F(VirtualPaths, AKilledRunGoesOnFromItsRows) {
  const auto killed = testing::shell(
      fmt::format(
          "export ROOFLINE_VIRTUAL_CLOCK=1 ROOFLINE_VIRTUAL_FAULTS='launch(Add):1=hang'; '{}' --device=virtual:{} {}"
          "--ceilings=none & pid=$!; for i in $(seq 1000); do sleep 0.02; "
          "[ $(grep -c '\"found\"' roofline-out/run.journal 2>/dev/null) -ge 1 ] 2>/dev/null && break; done; "
          "kill -KILL $pid; wait $pid",
          ROOFLINE_BENCH, device_, four),
      folder_);
  ASSERT_EQ(killed.code, 128 + SIGKILL) << killed.err;
  // The process that was left alone ends, too, and then its folder is free.
  const auto resumed = testing::shell(
      fmt::format("export ROOFLINE_VIRTUAL_CLOCK=1; for i in $(seq 50); do '{}' --device=virtual:{} {} --ceilings=none "
                  "--resume; code=$?; [ $code -eq 4 ] || break; sleep 0.1; done; exit $code",
                  ROOFLINE_BENCH, device_, four),
      folder_);
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(rows().size(), 4u);
  EXPECT_NE(text(document()["roofline"]["warnings"]).find("resumed: "), std::string::npos)
      << text(document()["roofline"]["warnings"]);
}

TEST_F(VirtualPaths, ChainsThatAreOnlyVerifiedAreNotRepeatedForAClock) {
  const runtime::Scope on(device_);
  const auto instructions = [&](Launches launches) {
    const auto work =
        testing::made(testing::gpu_rows("ert", {64}, current_gpu(), launches), "ert/flops:1/fma:1/set:L1");
    const auto before = runtime::executed().lane_instructions;
    work.launch();
    const auto done = runtime::executed().lane_instructions - before;
    EXPECT_EQ(work.check().message, "");
    return static_cast<double>(done);
  };
  EXPECT_GT(instructions(Launches::counted), 50 * instructions(Launches::verified));
}

TEST_F(VirtualPaths, LoadsThatLeaveNothingInL1AreKernelsOfTheirOwn) {
  // Where each of them fails tells which ceilings they are kernels of.
  const auto outcome = run("--verify --benchmark_filter='bandwidth/(L1|L2)/(read|write)$'",
                           "ROOFLINE_VIRTUAL_FAULTS='launch((roofline::CudaCache)2):1+=illegal-address'");
  EXPECT_EQ(outcome.code, 1);
  int failed = 0;
  for (auto at = outcome.out.find("FAILED "); at != std::string::npos;
       at = outcome.out.find("FAILED ", at + 1), ++failed)
    EXPECT_EQ(outcome.out.compare(at, 33, "FAILED ceiling/bandwidth/L2/read,"), 0) << outcome.out;
  EXPECT_EQ(failed, 3) << outcome.out;
}

TEST_F(VirtualPaths, PairsOfFloatsCompeteWhereThereAreInstructionsOnThem) {
  const auto kernels = [&](int capability) {
    const Scratch folder;
    const runtime::Scope on(testing::small_device(folder, 1e6, capability));
    Suite suite({Platform::cuda, {}, 1, {}, current_gpu()});
    ceiling_source(Platform::cuda)->add(suite);
    const auto* const fma = suite.ceiling("ceiling/flops/fp32/fma/vector");
    int pairs = 0;
    for (const auto& make : fma->make) {
      const auto work = make();
      if (work.variant.find(" x2 chains") == std::string::npos) continue;
      ++pairs;
      work.launch();
      EXPECT_EQ(work.check().message, "") << work.variant;
    }
    return pairs;
  };
  EXPECT_EQ(kernels(90), 0);
  EXPECT_GE(kernels(100), 5);
}

TEST_F(VirtualPaths, ALostDeviceCostsOneKernelOfACeilingAndFailsTheVerification) {
  const auto outcome = run("--verify --benchmark_filter='bandwidth/L2/(read|copy)$'",
                           "ROOFLINE_VIRTUAL_FAULTS='launch(global_sweep):5=illegal-address'");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_NE(outcome.out.find("FAILED ceiling/bandwidth/L2/"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("lost earlier"), std::string::npos) << outcome.out;
  int passed = 0, all = 0;
  const auto last = outcome.out.find("verified ");
  ASSERT_NE(last, std::string::npos) << outcome.out;
  ASSERT_EQ(std::sscanf(outcome.out.c_str() + last, "verified %d of %d", &passed, &all), 2);
  EXPECT_EQ(passed, all - all / 5) << "every fifth launch of a process: " << outcome.out;
  EXPECT_EQ(run("--verify --benchmark_filter=nothing/like/this").code, 5);
}

TEST_F(VirtualPaths, CeilingsThatAreAskedForAreExecutedAndStayThoseOfTheFile) {
  const auto outcome = run(four + "--ceilings=quick");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("ceilings were executed"), std::string::npos) << outcome.out;
  // The screen ends a long warning at a clause; run.json has all of it.
  EXPECT_NE(text(document()["roofline"]["warnings"]).find("nothing was timed"), std::string::npos) << outcome.out;
  const auto found = rows();
  EXPECT_EQ(found.at("ceiling/flops/fp64/fma/small")["FLOP/s"], 128e6)
      << text(document()["benchmarks"]).substr(0, 3000);
  const auto wrong = run(four + "--ceilings=quick", "ROOFLINE_VIRTUAL_FAULTS='launch(run_chains):40=illegal-address'");
  EXPECT_EQ(wrong.code, 1) << wrong.out;
  EXPECT_NE(wrong.err.find("ceiling/flops/"), std::string::npos) << wrong.err;
}

TEST_F(VirtualPaths, CountersAreThoseOfTheExecutionUnlessAFileHasBetterOnes) {
  struct Case {
    const char* choice;
    int code;
    const char* says;
  };
  for (const auto& [choice, code, says] :
       {Case{"cupti", 3, "this run is on a virtual GPU"}, Case{"perf", 3, "perf counts on CPUs"},
        Case{"none", 2, "makes its times of counts"}, Case{"missing.csv", 4, "missing.csv"}}) {
    const auto outcome = run(four + "--counters=" + choice);
    EXPECT_EQ(outcome.code, code) << choice << outcome.out;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "roofline-out")) << choice;
  }
  for (const char* choice : {"auto", "model"}) {
    ASSERT_EQ(run(four + "--counters=" + choice).code, 0) << choice;
    EXPECT_NE(text(rows().at("stream/triad/n:64")["label"]).find("bytes=emulated"), std::string::npos) << choice;
  }
}

TEST_F(VirtualPaths, EveryKernelOfTheCeilingsIsVerified) {
  const auto outcome = run("--verify --benchmark_filter=ceiling");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  int rows = 0;
  ASSERT_EQ(std::sscanf(outcome.out.c_str(), "verified %d of", &rows), 1) << outcome.out;
  EXPECT_GT(rows, 800);
}

TEST_F(VirtualPaths, NothingIsFoundInTheKernelsOfTheSuite) {
  const auto outcome = run(
      "--verify --sanitize=memcheck,racecheck,initcheck --stream=65 --stencil=9 --gpp=4,2,33,3 --lbm=3,256 --gsrb=5 "
      "--benchmark_filter='stream|stencil|lbm|gpp/nw:(1|6)/fma:1/stride:(1|8)|gsrb/[a-z0-9]+/op:7pt/level:5$'");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("checked for memcheck,racecheck,initcheck: nothing found"), std::string::npos)
      << outcome.out;
  const auto wrong = run("--verify --sanitize=races");
  EXPECT_EQ(wrong.code, 2) << wrong.err;
  EXPECT_NE(wrong.err.find("'races' is not one of memcheck, racecheck, initcheck, synccheck, all"), std::string::npos)
      << wrong.err;
  const auto alone = testing::shell("'" ROOFLINE_BENCH "' --verify --sanitize=racecheck", folder_);
  EXPECT_EQ(alone.code, 2) << alone.err;
}

TEST_F(VirtualPaths, VerificationTakesSizesThatAreExecutedInMinutesUnlessFlagsGiveOthers) {
  const auto listed = [&](const std::string& arguments) {
    return run("--full --benchmark_list_tests --benchmark_filter='stencil|gsrb' " + arguments).out;
  };
  const auto has = [](const std::string& text, const char* row) { return text.find(row) != std::string::npos; };
  const auto verified = listed("--verify");
  EXPECT_TRUE(has(verified, "stencil/7pt/tuned\n") && has(verified, "gsrb/fp/op:7pt/level:7/")) << verified;
  EXPECT_FALSE(has(verified, "level:8")) << verified;
  const auto chosen = listed("--verify --stencil=9 --gsrb=5");
  EXPECT_TRUE(has(chosen, "n:9/") && has(chosen, "level:5")) << chosen;
  EXPECT_FALSE(has(chosen, "stencil/7pt/tuned") || has(chosen, "level:7")) << chosen;
  const auto counted = listed("");
  EXPECT_TRUE(has(counted, "stencil/7pt/tuned\n") && has(counted, "level:8")) << counted;
}

}  // namespace
}  // namespace roofline::virtual_paths_test
