#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "bench/simulator/runtime/virtual_run.hpp"
#include "tests/command_line.hpp"

namespace roofline {
namespace {

using testing::bench;
using testing::Scratch;

/// Sizes that make a row take milliseconds.
const std::string tiny = "--stream=20000 --stencil=32 --gpp=4,2,256,32 ";

struct Refusal {
  const char* arguments;
  int code;
  const char* says;  ///< part of the one line on stderr
};

std::ostream& operator<<(std::ostream& out, const Refusal& refusal) { return out << refusal.arguments; }

class Refusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refusals, OneClearLineTheDocumentedCodeAndNoFile) {
  const Scratch folder;
  std::ofstream(folder / "not.json") << "{\"context\": ";
  std::ofstream(folder / "other.json") << "{\"context\": {}, \"benchmarks\": []}";
  std::ofstream(folder / "foreign.json") << R"({"context": {"fingerprint": "another machine"}, "benchmarks": []})";
  const std::string row = R"({"name": "ceiling/flops/x", "FLOP/s": 2, "rate_low": 1, "rate_high": 3})";
  std::ofstream(folder / "twice.json") << R"({"context": {"fingerprint": "x"}, "benchmarks": [)" << row << "," << row
                                       << "]}";
  std::ofstream(folder / "types.json") << R"({"context": {"fingerprint": "x", "complete": "yes"}, "benchmarks": []})";
  std::ofstream(folder / "future.json")
      << R"({"context": {"fingerprint": "x", "a": 1}, "roofline": {"schema": 99}, "benchmarks": []})";
  std::ofstream(folder / "huge.json") << R"({"name": 1e400})";
  ::mkfifo((folder / "fifo.json").c_str(), 0600);
  std::filesystem::create_symlink("loop.json", folder / "loop.json");
  std::ofstream(folder / "file") << "x";
  std::ofstream(folder / "ncu.csv") << "\"ID\",\"Kernel Name\",\"dram__bytes_read.sum\"\n\"\",\"\",\"byte\"\n"
                                       "\"0\",\"stream/triad\",\"1,024\"\n";
  const auto outcome = bench(GetParam().arguments, folder);
  EXPECT_EQ(outcome.code, GetParam().code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(GetParam().says), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "roofline-out")) << "a refused run left files";
}

INSTANTIATE_TEST_SUITE_P(
    Usage, Refusals,
    ::testing::Values(
        Refusal{"--benchmark_filter=nothing_like_this", 5, "matches nothing"},
        Refusal{"--benchmark_filter=strem", 5, "did you mean stream?"},
        Refusal{"--benchmark_filter='('", 2, "not a regular expression"},
        Refusal{"--benchmark_context=fingerprint=x", 2, "the suite itself writes 'fingerprint'"},
        Refusal{"--benchmark_context=$(printf 'a=\\033[31m')", 2, "control characters"},
        Refusal{"--benchmark_context=a=1,a=2", 2, "'a' is given twice"}, Refusal{"--describe=/", 5, "matches nothing"},
        Refusal{"--resume --model=v100", 2, "--resume"}, Refusal{"--resume --verify", 2, "--resume"},
        Refusal{"--benchmark_filter=$(head -c 9000 /dev/zero | tr '\\0' a)", 2, "at most 8192"},
        Refusal{"--threads=0", 2, "the CPUs this process may use"}, Refusal{"--threads=-1", 2, "--threads=-1"},
        Refusal{"--threads=nan", 2, "--threads=nan"}, Refusal{"--threads=1e99", 2, "--threads=1e99"},
        Refusal{"--threads=1.5", 2, "whole number"}, Refusal{"--threads=", 2, "--threads"},
        Refusal{"--threads=two", 2, "--threads=two"}, Refusal{"--threads=4000", 2, "the CPUs this process may use"},
        Refusal{"--no_such_flag", 2, "unknown flag"}, Refusal{"--celings=none", 2, "did you mean --ceilings?"},
        Refusal{"--benchmark_fliter=x", 2, "unknown flag"}, Refusal{"stream", 2, "unexpected argument"},
        Refusal{"--benchmark_format=xml", 2, "--benchmark_format=xml: expected one of console, json, csv"},
        Refusal{"--benchmark_time_unit=xx", 2, "--benchmark_time_unit=xx: expected one of ns, us, ms, s"},
        Refusal{"--benchmark_v=x", 2, "unknown flag"}, Refusal{"--benchmark_repetitions=0", 2, "benchmark_repetitions"},
        Refusal{"--benchmark_repetitions=x", 2, "benchmark_repetitions"},
        Refusal{"--benchmark_min_time=nan", 2, "benchmark_min_time"},
        Refusal{"--benchmark_min_time=-1", 2, "benchmark_min_time"}, Refusal{"--quick --full", 2, "--quick"},
        Refusal{"--device=tpu", 2, "--device=tpu"}, Refusal{"--device=cuda:0", 3, "--device=cuda:0"},
        Refusal{"--describe nothing_like_this", 5, "matches nothing"},
        Refusal{"--describe strem", 5, "did you mean stream?"},
        Refusal{"--describe ceilin", 5, "did you mean ceiling?"}));

INSTANTIATE_TEST_SUITE_P(Values, Refusals,
                         ::testing::Values(Refusal{"--out=", 2, "--out=: the value is missing, expected --out=FOLDER"},
                                           Refusal{"--describe", 2,
                                                   "--describe: the value is missing, expected --describe=NAME"},
                                           Refusal{"--describe ''", 2, "--describe: the value is missing"},
                                           Refusal{"--describe --list", 2, "--describe: the value is missing"},
                                           Refusal{"--device=", 2, "--device=: the value is missing"},
                                           Refusal{"--model ''", 2, "--model: the value is missing"},
                                           Refusal{"--benchmark_filter=", 2, "expected --benchmark_filter=REGEX"},
                                           Refusal{"--benchmark_out=", 2, "expected --benchmark_out=FILE"},
                                           Refusal{"--describe gpp --describe gsrb", 2, "--describe is given twice"},
                                           Refusal{"--quick=maybe", 2, "--quick=maybe: --quick takes no value"},
                                           Refusal{"--list=7", 2, "takes no value"},
                                           Refusal{"--benchmark_list_tests=maybe", 2, "takes no value"}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, Refusals,
    ::testing::Values(Refusal{"--stream=0", 2, "--stream=0"}, Refusal{"--stream=-5", 2, "--stream=-5"},
                      Refusal{"--stream=nan", 2, "whole number"}, Refusal{"--stream=1e6", 2, "whole number"},
                      Refusal{"--stream=99999999999999999999", 2, "too large"},
                      Refusal{"--stream=1000000000000000", 2, "choose a smaller size"},
                      Refusal{"--stencil=2", 2, "--stencil=2"}, Refusal{"--stencil=64,64", 2, "2 values given"},
                      Refusal{"--gpp=512,2,32768", 2, "3 values given"}, Refusal{"--gpp=", 2, "--gpp"}));

INSTANTIATE_TEST_SUITE_P(Counters, Refusals,
                         ::testing::Values(Refusal{"--counters=", 2, "--counters"},
                                           Refusal{"--counters=cupti --device=cpu", 3, "CUPTI counts on NVIDIA GPUs"},
                                           Refusal{"--counters=missing.csv", 4, "missing.csv"},
                                           Refusal{"--counters=file", 4, "not the output of ncu"},
                                           Refusal{"--counters=ncu.csv --device=cpu", 2, "this is a run on the CPU"}));

INSTANTIATE_TEST_SUITE_P(
    Files, Refusals,
    ::testing::Values(
        Refusal{"--ceilings=missing.json", 4, "missing.json"}, Refusal{"--ceilings=not.json", 4, "not JSON"},
        Refusal{"--ceilings=other.json", 4, "/context/fingerprint"},
        Refusal{"--ceilings=foreign.json", 3, "another machine"}, Refusal{"--ceilings=.", 4, "cannot read"},
        Refusal{"--ceilings=/dev/zero", 4, "not a regular file"},
        Refusal{"--ceilings=fifo.json", 4, "not a regular file"}, Refusal{"--ceilings=loop.json", 4, "loop.json"},
        Refusal{"--ceilings=twice.json", 4, "/benchmarks/1: ceiling/flops/x stands there twice"},
        Refusal{"--ceilings=types.json", 4, "types.json: /context/complete"},
        Refusal{"--ceilings=future.json", 4, "/roofline/schema: is 99"}, Refusal{"--model=huge.json", 4, "huge.json:"},
        Refusal{"--out=$(head -c 300 /dev/zero | tr '\\0' a)", 4, "File name too long"},
        Refusal{"--out=file/below", 4, "cannot create the folder"}, Refusal{"--out=/proc/nowhere", 4, "/proc/nowhere"},
        Refusal{"--benchmark_out=/proc/nowhere/x.json --out=.", 4, "/proc/nowhere"}));

TEST(Cli, AFilterAloneGivesPointsWithEfficienciesAndAllFiles) {
  const Scratch folder;
  const auto outcome = bench(tiny + "--quick --benchmark_filter=stream", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"run.json", "roofline.svg", "efficiency.csv", "efficiency.md"})
    EXPECT_GT(std::filesystem::file_size(folder / ("roofline-out/" + std::string(name))), 100u) << name;
  const auto document = nlohmann::json::parse(testing::contents(folder / "roofline-out/run.json"));
  EXPECT_EQ(document["context"]["complete"], true);
  EXPECT_EQ(document["context"]["executable"], "roofline_bench");
  bool triad = false, ceiling = false;
  for (const auto& row : document["benchmarks"]) {
    const std::string name = row["name"];
    ceiling = ceiling || name.rfind("ceiling/flops/fp64/fma/", 0) == 0;
    if (name != "stream/triad/n:20000") continue;
    triad = true;
    EXPECT_EQ(row["flops"], 40000.0);
    EXPECT_EQ(row["bytes_L1"], 480000.0);
    EXPECT_GT(row["efficiency"], 0.0);
    EXPECT_GT(row["efficiency_mix"], 0.0);
    EXPECT_LE(row["time_ci_low"], row["time_median"]);
    EXPECT_LE(row["time_median"], row["time_ci_high"]);
    EXPECT_GE(row["iterations"], 9);
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
}

TEST(Cli, CeilingsOfAnEarlierRunAreUsed) {
  const Scratch folder;
  ASSERT_EQ(bench(tiny + "--quick --benchmark_filter=stream/triad --out=first", folder).code, 0);
  const auto outcome = bench(tiny + "--benchmark_filter=stencil --ceilings=first/run.json", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto document = nlohmann::json::parse(testing::contents(folder / "roofline-out/run.json"));
  EXPECT_EQ(document["context"]["ceilings"], "first/run.json");
  for (const auto& row : document["benchmarks"]) {
    EXPECT_EQ(row["name"].get<std::string>().rfind("ceiling/", 0), std::string::npos) << "measured again";
    EXPECT_GT(row["efficiency"], 0.0);
  }
}

TEST(Cli, WithoutCeilingsThereAreRatesAndNoEfficiencies) {
  const Scratch folder;
  const auto outcome = bench(tiny + "--benchmark_filter=stream/triad --ceilings=none", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto document = nlohmann::json::parse(testing::contents(folder / "roofline-out/run.json"));
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
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(nlohmann::json::parse(testing::contents(folder / "copy.json")), document);
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
  EXPECT_TRUE(nlohmann::json::accept(testing::contents(folder / "roofline-out/run.json")));
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
    EXPECT_TRUE(nlohmann::json::accept(testing::contents(folder / "roofline-out/run.json"))) << format;
  }
}

TEST(Cli, ListsNamesFamiliesAndDescriptions) {
  const Scratch folder;
  const auto names = bench("--benchmark_list_tests --benchmark_filter=stream", folder);
  EXPECT_EQ(names.code, 0);
  EXPECT_NE(names.out.find("stream/triad/n:"), std::string::npos) << names.out;
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
  const auto variant = bench("--describe collide/v3", folder);
  EXPECT_EQ(variant.code, 0) << variant.err;
  EXPECT_EQ(variant.out.rfind("lbm/collide/v3", 0), 0u) << variant.out;
  for (const char* name :
       {"ceiling", "ert", "gpp", "gsrb", "lbm", "stencil", "stream", "lbm/collide/v0", "lbm/collide/v4"}) {
    std::istringstream lines(bench(std::string("--describe ") + name, folder).out);
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
}  // namespace roofline
