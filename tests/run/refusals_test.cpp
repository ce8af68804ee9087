#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/command_line.hpp"

namespace roofline::refusals_test {
namespace {

using testing::bench;
using testing::Scratch;

struct Refusal {
  const char* arguments;
  int code;
  const char* says;  ///< part of the one line on stderr
};

std::ostream& operator<<(std::ostream& out, const Refusal& refusal) { return out << refusal.arguments; }

class Refusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refusals, OneClearLineTheDocumentedCodeAndNoFile) {
  const std::string arguments = GetParam().arguments;
  if (arguments.starts_with("--model=v100 -") && GetParam().code != 2 && !runtime::can_run_virtually())
    GTEST_SKIP() << "no CUDA kernels in this build";
  const Scratch folder;
  std::ofstream(folder / "not.json") << "{\"context\": ";
  std::ofstream(folder / "other.json") << "{\"context\": {}, \"benchmarks\": []}";
  std::ofstream(folder / "foreign.json") << R"({"context": {"fingerprint": "another machine"}, "benchmarks": []})";
  std::ofstream(folder / "types.json") << R"({"context": {"fingerprint": "x", "complete": "yes"}, "benchmarks": []})";
  std::ofstream(folder / "future.json")
      << R"({"context": {"fingerprint": "x", "a": 1}, "roofline": {"schema": 99}, "benchmarks": []})";
  std::ofstream(folder / "huge.json") << R"({"name": 1e400})";
  std::ofstream(folder / "device.json") << R"({"name": "x", "sm": {}})";
  std::ofstream(folder / "cpu.json")
      << R"({"context": {"fingerprint": "x"}, "benchmarks": [{"name": "ceiling/bandwidth/L3/read/threads:2",
             "B/s": 1e9, "rate_low": 1e9, "rate_high": 1e9}]})";
  ::mkfifo((folder / "fifo.json").c_str(), 0600);
  std::filesystem::create_symlink("loop.json", folder / "loop.json");
  std::ofstream(folder / "file") << "x";
  std::ofstream(folder / "ncu.csv") << "\"ID\",\"Kernel Name\",\"dram__bytes_read.sum\"\n\"\",\"\",\"byte\"\n"
                                       "\"0\",\"stream/triad\",\"1,024\"\n";
  const auto outcome = bench(arguments, folder);
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
        Refusal{"--resume --verify", 2, "--resume"},
        Refusal{"--benchmark_filter=$(head -c 9000 /dev/zero | tr '\\0' a)", 2, "at most 8192"},
        Refusal{"--threads=0", 2, "the CPUs this process may use"}, Refusal{"--threads=-1", 2, "--threads=-1"},
        Refusal{"--threads=nan", 2, "--threads=nan"}, Refusal{"--threads=1e99", 2, "--threads=1e99"},
        Refusal{"--threads=1.5", 2, "whole numbers"}, Refusal{"--threads=", 2, "--threads"},
        Refusal{"--threads=two", 2, "--threads=two"}, Refusal{"--threads=4000", 2, "the CPUs this process may use"},
        Refusal{"--threads=1,1", 2, "the numbers of a sweep grow"},
        Refusal{"--threads=sweep --model=host", 2, "a model times nothing"},
        Refusal{"--threads=sweep --ceilings=x.json", 2, "ceilings are of one number of threads"},
        Refusal{"--no_such_flag", 2, "unknown flag"}, Refusal{"--celings=none", 2, "did you mean --ceilings?"},
        Refusal{"--benchmark_fliter=x", 2, "unknown flag"}, Refusal{"stream", 2, "unexpected argument"},
        Refusal{"--benchmark_format=xml", 2, "--benchmark_format: xml not in {console,json,csv}"},
        Refusal{"--benchmark_time_unit=xx", 2, "--benchmark_time_unit: xx not in {ns,us,ms,s}"},
        Refusal{"--benchmark_v=x", 2, "unknown flag"}, Refusal{"--benchmark_repetitions=0", 2, "benchmark_repetitions"},
        Refusal{"--benchmark_repetitions=x", 2, "benchmark_repetitions"}, Refusal{"--v=csv", 2, "--v: 'csv'"},
        Refusal{"--v=", 2, "--v:"}, Refusal{"--benchmark_min_time=nan", 2, "benchmark_min_time"},
        Refusal{"--benchmark_min_time=-1", 2, "benchmark_min_time"}, Refusal{"--time-limit=1", 2, "time-limit"},
        Refusal{"--quick --full", 2, "--quick"}, Refusal{"--device=tpu", 2, "--device=tpu"},
        Refusal{"--device=cuda:0", 3, "--device=cuda:0"}, Refusal{"--describe nothing_like_this", 5, "matches nothing"},
        Refusal{"--describe strem", 5, "did you mean stream?"},
        Refusal{"--describe ceilin", 5, "did you mean ceiling?"}, Refusal{"--seed=-1", 2, "--seed"},
        Refusal{"--seed=1.5", 2, "--seed"}, Refusal{"--seed=1e12", 2, "--seed"},
        Refusal{"--verify --model=v100", 2, "--verify"},
        Refusal{"--device=cpu --verify --benchmark_filter=^ceiling", 5, "are checked when they are measured"},
        Refusal{"--ranks=2", 2, "--ranks"}, Refusal{"--node=a/b", 2, "--node"}, Refusal{"--node=", 2, "--node"}));

INSTANTIATE_TEST_SUITE_P(Model, Refusals,
                         ::testing::Values(Refusal{"--model=v10", 2, "did you mean v100?"},
                                           Refusal{"--model=", 2, "--model"},
                                           Refusal{"--model=v100 --device=cuda:0", 2, "leave one of them out"},
                                           Refusal{"--modelled --device=cuda:0", 2, "only cpu and virtual"},
                                           Refusal{"--device=virtual:v10 --modelled", 2, "did you mean v100?"},
                                           Refusal{"--model=v100 --ceilings=none", 2, "--ceilings=none"},
                                           Refusal{"--model=v100 --benchmark_filter=strem", 5, "did you mean stream?"},
                                           Refusal{"--model=absent.json", 4, "absent.json"},
                                           Refusal{"--model=not.json", 4, "not JSON"},
                                           Refusal{"--model=device.json", 4, "is missing"},
                                           Refusal{"--model=v100 --ceilings=cpu.json", 3, "ceilings of a CPU"},
                                           Refusal{"--model=v100 --ceilings=absent.json", 4, "absent.json"}));

INSTANTIATE_TEST_SUITE_P(
    Values, Refusals,
    ::testing::Values(Refusal{"--out=", 2, "--out: 1 required FOLDER missing"},
                      Refusal{"--describe", 2, "--describe: 1 required NAME missing"},
                      Refusal{"--describe ''", 2, "--describe: the value is missing"},
                      Refusal{"--describe --list", 5, "--describe=--list matches nothing"},
                      Refusal{"--device=", 2, "--device: 1 required DEVICE missing"},
                      Refusal{"--model ''", 2, "--model: the value is missing"},
                      Refusal{"--benchmark_filter=", 2, "--benchmark_filter: 1 required REGEX missing"},
                      Refusal{"--benchmark_out=", 2, "--benchmark_out: 1 required FILE missing"},
                      Refusal{"--describe gpp --describe gsrb", 2, "--describe: At Most 1 required but received 2"},
                      Refusal{"--quick=maybe", 2, "--quick = maybe"},
                      Refusal{"--benchmark_list_tests=maybe", 2, "--benchmark_list_tests = maybe"}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, Refusals,
    ::testing::Values(Refusal{"--stream=0", 2, "--stream: '0'"}, Refusal{"--stream=-5", 2, "--stream: '-5'"},
                      Refusal{"--stream=nan", 2, "--stream: 'nan'"}, Refusal{"--stream=1e6", 2, "--stream = 1e6"},
                      Refusal{"--stream=99999999999999999999", 2, "not a number from 1 to"},
                      Refusal{"--stream=1000000000000000", 2, "choose a smaller size"},
                      Refusal{"--gemm=0", 2, "--gemm: '0'"}, Refusal{"--stencil=2", 2, "--stencil=2"},
                      Refusal{"--stencil=64,64", 2, "--stencil: At Most 1 required but received 2"},
                      Refusal{"--gpp=512,2,32768", 2, "--gpp: At least 4 required but received 3"},
                      Refusal{"--gpp=", 2, "--gpp"}));

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
        Refusal{"--ceilings=/dev/zero", 4, "neither a file nor a pipe"},
        Refusal{"--ceilings=fifo.json", 4, "no program writes into"}, Refusal{"--ceilings=loop.json", 4, "loop.json"},
        Refusal{"--ceilings=types.json", 4, "types.json: /context/complete"},
        Refusal{"--ceilings=future.json", 4, "/roofline/schema: version 99"},
        Refusal{"--model=huge.json", 4, "huge.json:"},
        Refusal{"--out=$(head -c 300 /dev/zero | tr '\\0' a)", 4, "File name too long"},
        Refusal{"--out=file/below", 4, "cannot create the folder"}, Refusal{"--out=/proc/nowhere", 4, "/proc/nowhere"},
        Refusal{"--benchmark_out=/proc/nowhere/x.json --out=.", 4, "/proc/nowhere"}));

}  // namespace
}  // namespace roofline::refusals_test
