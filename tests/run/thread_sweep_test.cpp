#include "bench/run/thread_sweep.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "bench/machine/pinning.hpp"
#include "bench/options/flag_checks.hpp"
#include "reporters/tables/tables.hpp"
#include "tests/command_line.hpp"
#include "tests/example_results.hpp"
#include "tests/shown.hpp"

namespace roofline::thread_sweep_test {
namespace {

TEST(ThreadSweep, NumbersGrowAndFitTheMachine) {
  EXPECT_EQ(thread_counts("1,2,8", 8), (std::vector{1, 2, 8}));
  EXPECT_EQ(thread_counts("sweep", 6), (std::vector{1, 2, 4, 6}));
  EXPECT_EQ(thread_counts("sweep", 1), (std::vector{1}));
  for (const char* const wrong : {"2,1", "1,1", "1,,2", ",1", "1,", "1,9", "0,1", "1,2x"})
    EXPECT_THROW(thread_counts(wrong, 8), CLI::ValidationError) << wrong;
}

TEST(ThreadSweep, ARunHasTheFlagsOfTheSweepAndAFolderOfItsOwn) {
  Options options;
  options.out = "x";
  const char* const argv[] = {"roofline_bench", "--threads",     "1,2",    "--out=x",
                              "--quick",        "--device=auto", "--seed", "3"};
  EXPECT_EQ(arguments_of_run(options, 2, 8, argv),
            (std::vector<std::string>{"roofline_bench", "--quick", "--seed", "3", "--device=cpu", "--threads=2",
                                      "--out=x/threads-2", "--ranks=off"}));
}

/// A host whose memory is saturated by 4 of 16 threads and suffers from more (12 % less), and whose units scale.
std::vector<Results> saturating_early() {
  std::vector<Results> runs;
  for (const auto& [threads, bandwidth] : {std::pair{1, 30e9}, {2, 58e9}, {4, 100e9}, {8, 99e9}, {16, 88e9}}) {
    auto& run = runs.emplace_back();
    Ceiling dram = example::memory(MemoryLevel::DRAM, "triad", bandwidth / 1e9);
    Ceiling flops = example::compute(Operation::fma, 50.0 * threads, "avx2");
    dram.threads = flops.threads = threads;
    run.roofline = Roofline({dram, flops}, threads);
    auto& triad = run.points.emplace_back();
    triad.name = "stream/triad", triad.family = "stream", triad.threads = threads;
    triad.counts.operations.fma = 1'000'000'000;
    triad.counts.at(MemoryLevel::DRAM) = Traffic{24e9, 8e9};
    triad.time.median = 32e9 / bandwidth;
    auto& gpp = run.points.emplace_back(triad);
    gpp.name = "gpp/nw:6", gpp.family = "gpp", gpp.counts.at(MemoryLevel::DRAM) = Traffic{1e6, 0};
    gpp.time.median = 2.0 / 40 / threads;
  }
  return runs;
}

TEST(ThreadSweep, NamesTheCountWithTheBestRate) {
  const auto table = scaling_table(saturating_early());
  EXPECT_EQ(testing::row_of(table, "roof: DRAM"), (std::vector<std::string>{"roof: DRAM", "30.0", "58.0", "100", "99.0",
                                                                            "88.0", "GB/s", "4", "3.33", "83.3"}));
  EXPECT_EQ(testing::row_of(table, "stream/triad")[7], "4");
  EXPECT_EQ(testing::row_of(table, "gpp/nw:6")[7], "16");
  EXPECT_EQ(testing::row_of(table, "gpp/nw:6").back(), "100.0");
  ASSERT_GE(table.notes.size(), 2U);
  EXPECT_NE(table.notes[0].find("DRAM gives its best to 4 of 16 threads"), std::string::npos) << table.notes[0];
}

TEST(ThreadSweep, HoldsKernelsAgainstTheRoofsOfTheirOwnThreads) {
  const auto table = scaling_efficiency_table(saturating_early());
  EXPECT_EQ(testing::row_of(table, "stream/triad"),
            (std::vector<std::string>{"stream/triad", "100.0", "100.0", "100.0", "100.0", "100.0"}));
  EXPECT_EQ(testing::row_of(table, "gpp/nw:6"),
            (std::vector<std::string>{"gpp/nw:6", "80.0", "80.0", "80.0", "80.0", "80.0"}));
  EXPECT_TRUE(testing::row_of(table, "roof: DRAM").empty());
}

TEST(ThreadSweep, RunsOnceForEachNumberAndDrawsThem) {
  if (allowed_cpus().size() < 2) GTEST_SKIP() << "one CPU";
  const testing::Scratch folder;
  const auto sweep = testing::bench(
      "--threads=1,2 --quick --ceilings=none --stream=20000 --benchmark_filter=stream/triad --out=runs", folder);
  EXPECT_EQ(sweep.code, 0) << sweep.err;
  EXPECT_NE(sweep.out.find("Thread sweep: rates"), std::string::npos) << sweep.out;
  for (const char* const file : {"threads-1/run.json", "threads-2/run.json", "scaling.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder / ("runs/" + std::string(file)))) << file;
}

}  // namespace
}  // namespace roofline::thread_sweep_test
