#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/suite/suite.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/command_line.hpp"

namespace roofline::cli_test {
namespace {

using testing::bench;
using testing::Scratch;

/// Sizes that make a row take milliseconds.
const std::string tiny = "--stream=20000 --stencil=32 --gpp=4,2,256,32 ";

TEST(Cli, AFilterAloneGivesEfficienciesAllFilesAndCeilingsForLaterRuns) {
  const Scratch folder;
  const auto outcome = bench(tiny + "--quick --time-limit=20 --benchmark_filter=stream", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"run.json", "roofline.svg", "efficiency.csv", "efficiency.md"})
    EXPECT_GT(std::filesystem::file_size(folder / ("roofline-out/" + std::string(name))), 100u) << name;
  const auto document = testing::json_of(folder / "roofline-out/run.json");
  EXPECT_EQ(document["roofline"]["complete"], true);
  EXPECT_EQ(document["context"]["executable"], "roofline_bench");
  // On a busy machine the later ceilings get no time, which the run says.
  const bool all_ceilings = document["roofline"].value("skipped", nlohmann::ordered_json::array()).empty();
  bool triad = false, ceiling = false;
  for (const auto& row : document["benchmarks"]) {
    const std::string name = row["name"];
    ceiling = ceiling || name.rfind("ceiling/flops/fp64/fma/", 0) == 0;
    if (name != "stream/triad/n:20000") continue;
    triad = true;
    if (row.contains("error_message")) GTEST_SKIP() << "a busy machine: " << row["error_message"];
    EXPECT_EQ(row["flops"], 40000.0);
    EXPECT_EQ(row["bytes_L1"], 480000.0);
    if (all_ceilings) {
      EXPECT_GT(row.value("efficiency", 0.0), 0.0);
      EXPECT_GT(row.value("efficiency_mix", 0.0), 0.0);
    }
    EXPECT_LE(row["time_ci_low"], row["time_median"]);
    EXPECT_LE(row["time_median"], row["time_ci_high"]);
    EXPECT_GE(row["iterations"], 3) << "one turn, on a busy machine";
    EXPECT_NEAR(row["FLOP/s"].get<double>() * row["time_median"].get<double>(), 40000.0, 1e-6);
    EXPECT_NE(row["label"].get<std::string>().find("flops=software bytes=modelled"), std::string::npos);
  }
  EXPECT_TRUE(triad);
  EXPECT_TRUE(ceiling) << "ceilings run whatever the filter says";
  EXPECT_NE(outcome.out.find("stream"), std::string::npos);
  for (std::size_t begin = 0; begin < outcome.out.size();) {
    const auto end = std::min(outcome.out.find('\n', begin), outcome.out.size());
    EXPECT_LE(end - begin, 300u) << outcome.out.substr(begin, end - begin);
    begin = end + 1;
  }

  // Its ceilings serve a later run.
  const auto later = bench(tiny + "--benchmark_filter=stencil --ceilings=roofline-out/run.json --out=later", folder);
  ASSERT_EQ(later.code, 0) << later.err;
  const auto run = testing::json_of(folder / "later/run.json");
  EXPECT_EQ(run["roofline"]["ceilings_origin"]["text"], "roofline-out/run.json");
  for (const auto& row : run["benchmarks"]) {
    EXPECT_EQ(row["name"].get<std::string>().rfind("ceiling/", 0), std::string::npos) << "measured again";
    EXPECT_GT(row.value("efficiency", 0.0), 0.0);
  }
}

TEST(Cli, WithoutCeilingsThereAreRatesAndNoEfficiencies) {
  const Scratch folder;
  const auto outcome = bench(tiny + "--benchmark_filter=stream/triad --ceilings=none", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto document = testing::json_of(folder / "roofline-out/run.json");
  ASSERT_EQ(document["benchmarks"].size(), 1u);
  EXPECT_GT(document["benchmarks"][0]["FLOP/s"], 0.0);
  EXPECT_FALSE(document["benchmarks"][0].contains("efficiency"));
}

TEST(Cli, GoogleBenchmarksFormatsRepetitionsAndOutput) {
  const Scratch folder;
  const auto outcome = bench(tiny +
                                 "--benchmark_filter=stream/triad --ceilings=none --benchmark_repetitions=3 "
                                 "--benchmark_format=json --benchmark_out=copy.json "
                                 "--benchmark_enable_random_interleaving=true",
                             folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto document = parse_json(outcome.out, "");
  EXPECT_EQ(testing::json_of(folder / "copy.json"), document);
  int iterations = 0, means = 0;
  for (const auto& row : document["benchmarks"]) {
    iterations += row["run_type"] == "iteration";
    means += row.value("aggregate_name", "") == "mean";
    EXPECT_EQ(row["run_name"], "stream/triad/n:20000");
  }
  EXPECT_EQ(iterations, 3);
  EXPECT_EQ(means, 1);
}

TEST(Cli, CsvOfCeilingsAndKernelsHasOneSetOfColumns) {
  if (!runtime::can_run_virtually()) GTEST_SKIP() << "no CUDA kernels in this build";
  const Scratch folder;
  const auto outcome = bench(tiny + "--model=v100 --benchmark_filter=stream --benchmark_format=csv", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::size_t rows = 0;
  std::ptrdiff_t commas = -1;
  for (std::string line; std::getline(lines, line); ++rows) {
    bool quoted = false;
    const auto here =
        std::count_if(line.begin(), line.end(), [&](char c) { return (quoted ^= c == '"'), c == ',' && !quoted; });
    if (commas < 0) commas = here;
    EXPECT_EQ(here, commas) << line;
  }
  EXPECT_EQ(rows, 1u + 5 + 5);
}

TEST(Cli, AFullDiskExitsFourAndKeepsTheMainResult) {
  const Scratch folder;
  const auto outcome =
      bench(tiny + "--benchmark_filter=stream/triad --ceilings=none --benchmark_out=/dev/full", folder);
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.err.find("/dev/full"), std::string::npos) << outcome.err;
  EXPECT_TRUE(nlohmann::ordered_json::accept(testing::contents(folder / "roofline-out/run.json")));
}

TEST(Cli, WhatOnlyGoogleBenchmarkRefusesIsAnErrorToo) {
  const Scratch folder;
  const auto outcome =
      testing::shell("BENCHMARK_TIME_UNIT=xx '" ROOFLINE_BENCH "' " + tiny + "--benchmark_filter=stream/copy", folder);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("BENCHMARK_"), std::string::npos) << outcome.err;
}

class LostOutputs : public ::testing::TestWithParam<const char*> {};

TEST_P(LostOutputs, ExitFourWithOneLine) {
  const Scratch folder;
  const auto outcome = bench(std::string(GetParam()) + " >/dev/full", folder);
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.err.rfind("roofline_bench: standard output: cannot write: ", 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Modes, LostOutputs,
                         ::testing::Values("--help", "--version", "--list", "--describe gpp", "--describe counters",
                                           "--benchmark_list_tests",
                                           "--stream=20000 --verify --benchmark_filter=stream/copy"));

TEST(Cli, ARunThatCannotPrintStillLeavesItsResult) {
  if (!runtime::can_run_virtually()) GTEST_SKIP() << "no CUDA kernels in this build";
  for (const char* format : {"console", "json", "csv"}) {
    const Scratch folder;
    const auto outcome = bench(
        tiny + "--model=v100 --benchmark_filter='stream|gpp' --benchmark_format=" + format + " >/dev/full", folder);
    EXPECT_EQ(outcome.code, 4) << format;
    EXPECT_NE(outcome.err.find("standard output: cannot write"), std::string::npos) << outcome.err;
    EXPECT_TRUE(nlohmann::ordered_json::accept(testing::contents(folder / "roofline-out/run.json"))) << format;
  }
}

TEST(Cli, ListsNamesFamiliesAndDescriptions) {
  const Scratch folder;
  const auto names = bench("--benchmark_list_tests --benchmark_filter=stream", folder);
  EXPECT_EQ(names.code, 0);
  EXPECT_NE(names.out.find("stream/triad\n"), std::string::npos) << "no size that nobody chose: " << names.out;
  const auto chosen = bench("--device=cpu --benchmark_list_tests --benchmark_filter=fft --fft=64,0", folder);
  EXPECT_NE(chosen.out.find("n:64"), std::string::npos) << "as many as the machine chooses: " << chosen.err;
  const auto sized = bench("--benchmark_list_tests --benchmark_filter=stream --stream=64", folder);
  EXPECT_NE(sized.out.find("stream/triad/n:64\n"), std::string::npos) << sized.out;
  EXPECT_EQ(names.out.find("iterations:"), std::string::npos);
  const auto list = bench("--list", folder);
  EXPECT_EQ(list.code, 0);
  EXPECT_NE(list.out.find("teaches"), std::string::npos);
  const auto about = bench("--describe stencil", folder);
  EXPECT_EQ(about.code, 0);
  EXPECT_NE(about.out.find("layer condition"), std::string::npos) << about.out;
  const auto ceilings = bench("--describe ceiling", folder);
  EXPECT_EQ(ceilings.code, 0) << ceilings.err;
  EXPECT_NE(ceilings.out.find("\n  ceiling/bandwidth/DRAM/"), std::string::npos) << ceilings.out;
  EXPECT_NE(bench("--describe stencil/7pt/tuned", folder).out.find("\n  whole planes, streaming stores\n"),
            std::string::npos);
  const auto variant = bench("--describe collide/v3", folder);
  EXPECT_EQ(variant.code, 0) << variant.err;
  EXPECT_EQ(variant.out.rfind("lbm/collide/v3", 0), 0u) << variant.out;
  std::vector<std::string> described{"ceiling", "lbm/collide/v0", "lbm/collide/v4"};
  for (const auto& registration : families()) described.push_back(registration.family.name);
  for (const auto& name : described) {
    std::istringstream lines(bench("--describe " + name, folder).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
  const auto help = bench("--help", folder);
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("2^level cells along each edge, 3..8 (default: 7"), std::string::npos) << help.out;
  EXPECT_EQ(help.out.find(" TEXT"), std::string::npos) << help.out;
  for (const char* flag : {"--benchmark_filter", "--ceilings", "--threads", "--gpp", "Examples"})
    EXPECT_NE(help.out.find(flag), std::string::npos) << flag;
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

}  // namespace
}  // namespace roofline::cli_test
