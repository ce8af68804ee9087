#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/text/output.hpp"
#include "bench/virtual_gpu/devices/known_devices.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/command_line.hpp"

namespace roofline::modelled_test {
namespace {

using testing::bench;
using testing::contents;
using testing::Scratch;

/// Sizes that make a row take milliseconds.
const std::string tiny = "--stream=100000 --stencil=34 --gpp=16,2,256,16 --lbm=8,256 ";

nlohmann::ordered_json run_json(const Scratch& folder) { return testing::json_of(folder / "roofline-out/run.json"); }

/// Runs in a folder of their own.
class Modelled : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!runtime::can_run_virtually()) GTEST_SKIP() << "no CUDA kernels in this build";
  }
  const Scratch folder;
};

TEST_F(Modelled, AllFilesOfARunMarkedAsBounds) {
  const auto outcome = bench(tiny + "--model=v100 --full --benchmark_filter='stream|lbm|stencil|nw:6|level:5'", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("nothing was measured"), std::string::npos) << outcome.out;
  EXPECT_NE(contents(folder / "roofline-out/efficiency.md").find("bytes: modelled(v100)"), std::string::npos);
  EXPECT_NE(contents(folder / "roofline-out/roofline.svg").find("bounds, not measurements"), std::string::npos);
  EXPECT_NE(contents(folder / "roofline-out/efficiency.md").find("nothing was measured"), std::string::npos);
  EXPECT_NE(contents(folder / "roofline-out/efficiency.csv").find("modelled(v100)"), std::string::npos);
  const auto document = run_json(folder);
  EXPECT_EQ(document["context"]["model"], "v100");
  EXPECT_EQ(document["context"]["model_hash"].get<std::string>().size(), 16u);
  int points = 0;
  for (const auto& row : document["benchmarks"]) {
    if (row["name"].get<std::string>().rfind("ceiling/", 0) == 0) continue;
    ++points;
    const auto label = row["label"].get<std::string>();
    EXPECT_NE(label.find("bytes=modelled(v100) time=bound"), std::string::npos) << label;
    EXPECT_LE(row["bytes_L2_low"], row["bytes_L2_high"]);
    EXPECT_LE(row["bytes_DRAM_low"], row["bytes_DRAM"]);
    EXPECT_LE(row["bytes_DRAM"], row["bytes_DRAM_high"]);
    EXPECT_GT(row["time_bound"], 0.0);
    for (const char* measured : {"time_median", "efficiency", "samples"}) EXPECT_FALSE(row.contains(measured));
  }
  EXPECT_GE(points, 5 + 7 + 2 + 6 + 6);
}

TEST_F(Modelled, TheTalksProfile) {
  ASSERT_EQ(bench("--model=v100 --benchmark_filter=gsrb/fp/op:fv4/level:6", folder).code, 0);
  const auto document = run_json(folder);
  for (const auto& row : document["benchmarks"]) {
    if (row["name"] != "gsrb/fp/op:fv4/level:6") continue;
    EXPECT_EQ(row["flop_count_dp"], 30277632.0);
    EXPECT_EQ(row["gld_transactions"], 4275200.0);  // 4280320 published: five more words before the loop
    EXPECT_EQ(row["gst_transactions"], 73728.0);
    constexpr double dram = 32.0 * (702911 + 151487);  // published, L2 clean or dirty
    EXPECT_TRUE(row["bytes_DRAM_low"] < dram && dram < row["bytes_DRAM_high"]) << row;
    // DRAM at 828.758 GB/s takes the bytes as long as the row says.
    EXPECT_NEAR(row["bytes_DRAM"].get<double>() / 828.758e9 / row["time_bound"].get<double>(), 1, 1e-12);
    return;
  }
  FAIL() << "no such row";
}

TEST_F(Modelled, TwoRunsAreEqualWhateverTheThreads) {
  const auto rows = [&](const std::string& flags) {
    EXPECT_EQ(bench(tiny + "--model=h200 --benchmark_filter='stream|nw:1/fma:1' " + flags, folder).code, 0);
    return run_json(folder)["benchmarks"];
  };
  EXPECT_EQ(rows(""), rows("--threads=1"));
}

TEST(ModelledHost, ByItsOwnCachesOnCeilingsOfAnEarlierRun) {
  const Scratch folder;
  ASSERT_EQ(bench(tiny + "--benchmark_filter=stream/triad --ceilings=none --out=first", folder).code, 0);
  auto measured = testing::json_of(folder / "first/run.json");
  const auto point = measured["benchmarks"].back();
  const auto threads = measured["context"]["threads"].get<std::string>();
  measured["roofline"]["ceilings"].push_back({{"name", "ceiling/bandwidth/L1/triad/threads:" + threads},
                                              {"kind", "bandwidth"},
                                              {"level", "L1"},
                                              {"mix", "triad"},
                                              {"threads", std::stoi(threads)},
                                              {"rate", 1e10},
                                              {"rate_low", 1e10},
                                              {"rate_high", 1e10}});
  std::ofstream(folder / "earlier.json") << measured;
  const auto outcome = bench(tiny + "--model=host --ceilings=earlier.json --benchmark_filter=stream/triad", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto modelled = run_json(folder);
  EXPECT_EQ(modelled["context"]["model_hash"], measured["context"]["model_hash"]);
  const auto& bound = modelled["benchmarks"].back();
  ASSERT_EQ(bound["name"], point["name"]);
  for (const char* count : {"flops", "bytes_L1", "bytes_L2", "bytes_DRAM"})  // of the levels that this host shows
    EXPECT_EQ(bound.value(count, -1.0), point.value(count, -1.0)) << count;
  EXPECT_DOUBLE_EQ(bound["time_bound"].get<double>(), point["bytes_L1"].get<double>() / 1e10);
  EXPECT_NE(bound["label"].get<std::string>().find("modelled(host) time=bound"), std::string::npos);
}

TEST_F(Modelled, CeilingsOfAnotherRunTakeThePlaceOfTheFilesOwn) {
  ASSERT_EQ(bench(tiny + "--model=v100 --full --benchmark_filter=stream/triad --out=first", folder).code, 0);
  auto faster = testing::json_of(folder / "first/run.json");
  for (auto& ceiling : faster["roofline"]["ceilings"])
    for (const char* key : {"rate", "rate_low", "rate_high"}) ceiling[key] = 2 * ceiling[key].get<double>();
  std::ofstream(folder / "faster.json") << faster;
  ASSERT_EQ(bench(tiny + "--model=v100 --ceilings=faster.json --benchmark_filter=stream/triad", folder).code, 0);
  const auto document = run_json(folder);
  EXPECT_EQ(document["roofline"]["ceilings_origin"]["text"], "imported from faster.json");
  EXPECT_DOUBLE_EQ(2 * document["benchmarks"].back()["time_bound"].get<double>(),
                   faster["benchmarks"].back()["time_bound"].get<double>());
}

TEST_F(Modelled, ListsAndDescribes) {
  const auto names = bench("--model=v100 --benchmark_list_tests", folder);
  for (const char* name : {"gpp/nw:6/fma:1/stride:1\n", "gsrb/fp/op:fv4/level:6\n", "lbm/collide/v0/fma:1\n",
                           "stream/triad\n", "stencil/7pt\n"})
    EXPECT_NE(names.out.find(name), std::string::npos) << names.out;
  const auto text = bench("--model=v100 --describe gsrb/fp/op:fv4/level:6", folder);
  EXPECT_EQ(text.code, 0);
  for (const char* part : {"HPGMG-CUDA", "modelled(v100)", "a bound, not a measurement"})
    EXPECT_NE(text.out.find(part), std::string::npos) << text.out;
  EXPECT_EQ(bench("--model=v100 --list", folder).code, 0);
  EXPECT_NE(bench("--help", folder).out.find("--model"), std::string::npos);
}

TEST_F(Modelled, TheFlagOfEarlierVersionsIsTheSameRunWithANotice) {
  const auto document = [&](const std::string& flags) {
    EXPECT_EQ(bench(tiny + flags + " --benchmark_filter='stream|gpp/nw:6'", folder).code, 0);
    return run_json(folder);
  };
  const auto now = document("--device=virtual:v100 --modelled"), then = document("--model=v100");
  EXPECT_EQ(now["benchmarks"], then["benchmarks"]);
  EXPECT_FALSE(now["roofline"].contains("warnings"));
  EXPECT_EQ(then["roofline"]["warnings"].at(0), "--model=v100 is now --device=virtual:v100 --modelled");
}

TEST(ModelledWithoutKernels, SaysSoInOneLine) {
  if (runtime::can_run_virtually()) GTEST_SKIP() << "this build has CUDA kernels";
  const Scratch folder;
  const auto outcome = bench("--device=virtual:v100 --modelled", folder);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--device=virtual:v100: this build has no CUDA kernels"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(KnownDevices, AreTheFilesOfTheTree) {
  EXPECT_EQ(known_devices().size(), 4u);
  for (const auto& [name, text] : known_devices())
    EXPECT_EQ(text, read_file(std::string(ROOFLINE_TEST_DATA) + "/../../bench/virtual_gpu/devices/" + name + ".json"));
}

}  // namespace
}  // namespace roofline::modelled_test
